import type { Texts } from '../catalog.ts';

export const JA_MESSAGES: Texts['messages'] = {
  checking: '確認しています。結果は数秒後にここに表示されます。',
  checkingUnscripted: '数秒後にページを再読み込みしてください。',
  checkedRecently: '数秒前に確認したばかりです。次の確認まで15秒お待ちください。',
  nothingToCheck: '今は確認するものがありません。',
  checkProvider:
    'DNSプロバイダーの画面から戻りました。変更を確認しています。このページは自動で先へ進みます。',
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

export const JA_MAILS: Texts['mails'] = {
  confirmSubject: '{hostname}のお知らせを受け取るメールアドレスの確認',
  confirmAsked: '{hostname}が{app}に接続されたらお知らせするよう、ご依頼がありました。',
  confirmOpen: 'お知らせを受け取るには、次のページを開いて、メールアドレスを確認してください：',
  confirmButton: 'メールアドレスを確認する',
  confirmIgnore:
    'お心当たりがない場合は、このメールを無視してください。今後メールをお送りすることはありません。',
  liveSubject: '{hostname}が公開されました',
  liveText: '{hostname}は{app}に接続され、HTTPSで利用できます。DNSレコードはそのまま残してください。',
  brokenSubject: '{hostname}が表示されなくなりました。DNSの修正が必要です',
  brokenText: 'DNSが変更されたため、{hostname}は{app}につながらなくなりました。',
  toDo: '対応方法：',
  onlyThese:
    'このメールは、ご依頼によりお送りしています。メールをお送りするのは、ドメインが公開されたときと、接続が切れたときです。',
  stop: 'メールを停止するには、次のページを開いてください：',

  hello: 'お世話になっております。',
  pleaseAdd:
    '{domain}に、下記のDNSレコードを追加していただけますか。{hostname}を{app}に接続するためのものです。',
  pleaseChange: '{domain}について、下記の変更をお願いできますか。{hostname}を{app}に接続するためのものです。',
  whatToDo: '{app}によると、必要な作業は次のとおりです：',
  afterwards: '変更後のDNSレコードは、次のようになります：',
  pageTells: '手順と、うまくいったかどうかは、次のページで確認できます：',
  thanks: 'よろしくお願いいたします。',
  subjectAdd: '{hostname}のDNSレコードについて',
  subjectChange: '{hostname}の変更のお願い',
  restartSubject: '{hostname}の設定再開のお願い',
  questionSubject: '{hostname}についてのお問い合わせ',
  aboutPage: '{app}での{hostname}の設定について、次のページをご覧ください：',
  field: '{label}：{value}',
};
