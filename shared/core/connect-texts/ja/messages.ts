import type { Texts } from '../catalog.ts';

export const JA_MESSAGES: Texts['messages'] = {
  checking: '確認しています。結果は数秒後にここに表示されます。',
  checkingUnscripted: '数秒後にページを再読み込みしてください。',
  checkedRecently: '数秒前に確認したばかりです。次の確認まで15秒お待ちください。',
  nothingToCheck: '今は確認するものがありません。',
  checkProvider: 'DNSプロバイダーから戻りました。変更を確認しています。このページは自動で先へ進みます。',
  checkProviderRefused:
    'DNSプロバイダーは何も変更していません。もう一度試すか、ご自身でレコードを追加してください。',
  mailSent: '受信トレイをご確認ください。確認用のリンクをお送りしました。',
  mailAddress: 'メールアドレスの形式ではないようです。ada@example.comのように入力してください。',
  mailTooOften: 'このページからのメールの依頼が多すぎます。明日もう一度お試しください。',

  refused: {
    headline: '操作を完了できませんでした',
    text: 'リクエストを受け付けられませんでした。リンクからページを開き直して、もう一度お試しください。',
  },
  notFound: {
    headline: 'このリンクは使えません',
    text: 'リンクが途中で切れているか、無効になっています。リンクの送り主に、新しいリンクを依頼してください。',
  },
  failed: {
    headline: 'こちらで問題が発生しました',
    text: '少し待ってから、もう一度お試しください。失われたものはなく、設定は自動で続きます。',
  },
  busy: {
    headline: '現在、混み合っています',
    text: '少し待ってから、もう一度お試しください。失われたものはなく、設定は自動で続きます。',
  },

  mailTitle: '{hostname}についてのメール',
  confirmTitle: 'メールをお送りしてよろしいですか？',
  confirmText: '{hostname}が{app}に接続されたときと、その後に接続が切れたときだけ、メールをお送りします。',
  confirmYes: 'はい、送ってください',
  confirmNo: '依頼していません',
  confirmedTitle: 'メールアドレスを確認しました',
  confirmedText:
    '{hostname}が{app}に接続されたときと、その後に接続が切れたときに、メールをお送りします。このページは閉じてかまいません。',
  confirmedNo: 'やはりメールは不要です',
  stopTitle: 'メールを停止しますか？',
  stopText: '{hostname}についてのメールを停止し、メールアドレスを削除します。',
  stopButton: 'メールを停止',
  stoppedTitle: 'メールを停止しました',
  stoppedText: 'メールアドレスを削除しました。このページは閉じてかまいません。',
  linkEndedTitle: 'このリンクは無効になりました',
  linkEndedText: '今後、このリンクに関するメールはお送りしません。このページは閉じてかまいません。',
};
