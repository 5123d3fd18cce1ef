import type { Texts } from '../catalog.ts';

export const JA_PAGE: Texts['page'] = {
  skip: '本文へ移動',
  language: '言語',
  connectTo: 'ドメインを{app}に接続します',
  connectedTo: '{app}に接続済みです',
  inDns: 'DNS上の表記：{hostname}',
  lookAlike:
    'この名前には、ほかの文字と見間違えやすい文字が含まれています。実際の文字で表すと{unicode}です。意図した名前である場合だけ、先へ進んでください。',
  testTitle: 'これはテスト用のドメインです。',
  testText:
    'お客様にも同じページが表示されます。通常は10秒以内に、タイマーが自動で各段階を進めます。DNSレコードを追加する必要はありません。レコードの確認も行わず、訪問者への影響もありません。',
  closeUntil: '{time}まで確認を続けます。',
  close: '確認を続けます。',
  reload: '最新の状態を見るには、このページを再読み込みしてください。',
  offline: '現在サーバーに接続できません。このページは接続を試し続けます。',
  copied: 'コピー済み',
  copiedWhat: 'コピーしました：{what}',
  copiedLink: 'このページへのリンクをコピーしました',
  copyFailed: 'コピーできませんでした。文字列を選択してください。',
  selectIt: '選択する',
  justNow: 'たった今',
  soon: '数秒後',
  utc: '{time}（UTC）',

  steps: '公開までの手順',
  stepDone: '（完了）',
  stepNow: '（進行中）',
  stepLater: '（未着手）',
  stepRecord: { title: 'レコード検出', now: '確認中…' },
  stepConfirmed: { title: '確認', now: '世界各地で確認中' },
  stepSecured: { title: '保護', now: 'https用の証明書' },
  stepLive: { title: '公開', now: '訪問者の受け入れ' },
  openHostname: '{hostname}を開く',

  addRecords: {
    other: '{provider}でこの{count}件のレコードを追加してください',
  },
  setRecords: {
    other: '{provider}でこの{count}件のレコードを設定し直してください',
  },
  yourProvider: 'ご利用のDNSプロバイダー',
  keptRecords: { other: 'この接続のDNSレコード' },
  removableRecords: { other: '削除できるDNSレコード' },
  wholeRecords: { other: 'レコードの全体' },
  newProof:
    'このドメインはその後、別のサービスで公開されました。こちらに移すには、この値を使ってください。以前の値は使えません。',
  recordOf: 'レコード {at}／{count}',
  oneClickText: {
    other: '{provider}にログインして承認してください。レコードが自動で追加され、このページに戻ります。',
  },
  oneClickButton: '{provider}で自動的に接続',
  oneClickElse: { other: 'または、ご自身でレコードを追加してください：' },
  oneClickWaits: '{provider}での承認を待っています。承認されると、このページは自動で先へ進みます。',
  fixAt: '{provider}で修正してください',
  openRecords: '{domain}のDNSレコードを開く',
  usuallyThere: '通常は、{domain}を購入した会社です。',
  enterRecords: { other: '次の内容をフォームに入力' },
  saveRecords: '保存すれば、あとは自動で進みます',
  openProvider: '{provider}を開く',
  showMeHow: '手順を順番に見る',
  standsForDomain: '{domain}そのものを表します。',
  withoutDomain: 'このとおりに入力し、{domain}は付けないでください。',
  fieldType: '種類',
  fieldName: '名前',
  fieldValue: '値',
  leaveEmpty: '空欄のまま',
  copy: 'コピー',
  copyWhat: 'コピー：{what}',
  whatField: '{field}',
  whatFieldOf: 'レコード{at}の{field}',
  copyLink: 'リンクをコピー',
  copyLinkWhat: 'リンクをコピー：このページ',

  notProvider: '{provider}ではありませんか？',
  whichProvider: 'どのDNSプロバイダーをお使いですか？',
  chooseProvider: 'DNSプロバイダー',
  anotherProvider: 'その他のプロバイダー',
  showSteps: '手順を表示',

  toFix: '修正が必要な点',
  weSee: '現在の状態',
  weSeeNow: '現在の値',
  nothing: 'なし',
  shouldBe: '正しい値',
  whatShouldBe: '正しい値',
  toDo: '対応方法',
  addRecord: 'このレコードを追加',
  changeRecord: 'このレコードを変更',
  deleteRecord: 'このレコードを削除',
  replaceValue: '変更前',
  withValue: '変更後',
  whatChangedName: '変更するレコードの名前',
  whatNewValue: '新しい値',

  checks: '確認状況',
  notFoundYet: { other: 'レコードはまだ見つかっていません。' },
  notChecked: 'まだ確認していません',
  lastChecked: '前回の確認：{time}',
  nextCheck: '次回の確認：{time}',
  checkNow: '今すぐ確認',
  checkAgain: 'もう一度確認',
  tryAgain: '今すぐ再試行',

  moveTitle: '{hostname}には、すでに訪問者がいますか？',
  moveText: {
    other:
      'その場合は、まずこのレコードを追加してください。訪問者への影響はありません。上のレコードを変更する前に、証明書を準備できます。',
  },
  moveWww: '{hostname}には、このレコードも追加してください。',
  whatFieldOfFirst: '最初のレコードの{field}',

  notifyTitle: '公開されたらメールで知らせる',
  address: 'メールアドレス',
  notifyButton: 'メールで知らせる',
  notifyUse: 'メールをお送りするのは、アドレスの確認、公開のお知らせ、その後に接続が切れた場合だけです。',

  colleagueTitle: 'ドメインの管理者は別の方ですか？',
  colleagueText: 'このページへのリンクを送ってください。同じページが表示され、アカウントは不要です。',
  writeMail: 'メールを書く',
  askTitle: '{app}に問い合わせる',
  contactApp: '{app}に連絡する',
  backToApp: '{app}に戻る',
};

export const JA_STATUS: Texts['status'] = {
  pending: {
    headline: { other: 'DNSレコードを待っています' },
    text: { other: '確認を続けます。このページを閉じて、あとで戻っても大丈夫です。' },
  },
  switch: {
    headline: { other: '今すぐ切り替えられます' },
    text: { other: '{hostname}の証明書は準備できています。切り替えても、訪問者が気づくことはありません。' },
  },
  fix: {
    headline: { other: '修正が1つ必要です' },
    text: { other: '{hostname}をまだ接続できません。修正されると、自動で先へ進みます。' },
  },
  appFix: {
    headline: { other: '{app}側で修正が必要です' },
    text: {
      other:
        'お客様のDNSレコードは正しいので、そのままにしてください。{app}が自社のアドレスを修正すると、{hostname}は自動で接続されます。',
    },
  },
  verifying: {
    headline: { other: 'レコードが見つかりました' },
    text: {
      other:
        '変更が世界各地で見えるようになるのを待っています。通常は数分で終わります。ほかの操作は必要ありません。',
    },
  },
  issuing: {
    headline: { other: 'レコードは正しく設定されています' },
    text: {
      other: 'セキュリティ証明書（アドレスバーの鍵マーク）を取得しています。通常は1分以内に終わります。',
    },
  },
  active: {
    headline: { other: 'ドメインが公開されました' },
    text: {
      other:
        '{hostname}への訪問者は、httpsで{app}につながるようになりました。接続に必要なので、DNSレコードはそのまま残してください。',
    },
  },
  activeTest: {
    headline: { other: 'テスト用のドメインが公開されました' },
    text: {
      other:
        '実際のドメインであれば、{hostname}への訪問者はhttpsで{app}につながります。このテストでは、訪問者への影響はありません。',
    },
  },
  broken: {
    headline: { other: '接続が切れています' },
    text: { other: 'DNSが正しくなると、{hostname}を自動で再接続します。' },
  },
  failed: {
    headline: { other: '証明書をまだ取得できていません' },
    text: {
      other:
        'DNSレコードは正しいのですが、証明書（アドレスバーの鍵マーク）を取得できませんでした。毎日再試行します。下の問題を修正したら、すぐに再試行することもできます。',
    },
  },
  failedWaits: {
    headline: { other: '証明書の取得に時間がかかっています' },
    text: {
      other:
        'DNSレコードは正しく設定されています。証明書（アドレスバーの鍵マーク）をまだ取得できていませんが、自動で再試行します。お客様の操作は不要です。',
    },
  },
  failedRenewal: {
    headline: { other: '証明書を更新できませんでした' },
    text: {
      other:
        'ドメインは今のところ動作しています。毎日再試行します。下の問題を修正したら、すぐに再試行することもできます。',
    },
  },
  expired: {
    headline: { other: '設定の期限が切れました' },
    text: {
      other:
        '3日以内にDNSレコードが見つからなかったため、確認を終了しました。{app}に設定の再開を依頼してください。このリンクは再び使えるようになります。',
    },
  },
  held: {
    headline: { other: 'このドメインは審査中です' },
    text: {
      other:
        '審査が終わるまで一時停止し、その後は自動で再開します。お客様の操作は不要です。ご質問は{app}にお問い合わせください。',
    },
  },
  deleted: {
    headline: { other: 'このドメインの接続は終了しました' },
    text: { other: '{app}がこのドメインを削除しました。追加したDNSレコードは、もう削除してかまいません。' },
  },
};
