import type { Texts } from '../catalog.ts';

export const JA_GUIDES: Texts['guides'] = {
  signIn: '{at}にログインします。',
  signInOpen: '{at}にログインし、{menu}を開きます。',
  signInDomains: '{at}にログインし、ドメインの一覧を開きます。',
  signInChoose: '{at}にログインし、{domain}を選びます。',
  signInChooseUnder: '{at}にログインし、{menu}で{domain}を選びます。',
  signInProject: '{at}にログインし、プロジェクトを選んで{menu}を開きます。',
  signInTeam: '{at}にログインし、チームを選んで{menu}を開きます。',
  signInSite: '{at}にログインし、サイトの{menu}を開きます。',
  choose: '{domain}を選びます。',
  chooseOpen: '{domain}を選び、{menu}を開きます。',
  chooseRecords: '{domain}を選び、レコードの一覧を開きます。',
  chooseClick: '{domain}を選び、{button}をクリックします。',
  openRecords: 'レコードの一覧を開きます。',
  open: '{menu}を開きます。',
  openChoose: '{menu}を開き、{domain}を選びます。',
  openClick: '{menu}を開き、レコードの横の{button}をクリックします。',
  openBeside: '{domain}の横の{menu}を開きます。',
  clickBesideOpen: '{domain}の横の{button}をクリックし、{menu}を開きます。',
  gearBeside: '{domain}の横の歯車をクリックし、{menu}を選びます。',
  menuBeside: '{domain}の横のメニューを開き、{menu}を選びます。',
  pencilBeside: '{domain}の横の鉛筆をクリックします。',
  globeBeside: '{domain}の横の地球のアイコン（{button}）をクリックします。',
  typeTab: 'レコードの種類のタブを選びます。',
  typeTabUnder: '{menu}で、レコードの種類のタブを選びます。',
  click: '{button}をクリックします。',
  clickType: '{button}をクリックし、種類を選びます。',
  clickUnder: '{menu}の{button}をクリックします。',
  clickInType: 'レコードの種類の欄で{button}をクリックします。',
  clickBesideType: 'レコードの種類の横の{button}をクリックします。',
  clickAdvanced: '詳細なDNSレコードの横の{button}をクリックし、レコードを追加します。',
  plusBesideType: 'レコードの種類の横のプラス記号をクリックします。',
  addRecord: 'レコードを追加します。',
  typeInForm: '新しいレコードのフォームで種類を選びます。',
  formUnder: '{menu}のフォームに入力します。',
  rowForRecord: '新しいレコードの行に入力します。',
  formForDomain: '{domain}そのものには{button}を、そのサブドメインには{option}を使います。',
  simpleRouting: 'ルーティングポリシーは{value}のまま、{option}はオフのままにします。',

  anySignIn:
    '{domain}のDNSを管理している場所にログインします。通常は、{domain}を購入した会社か、ウェブサイトのホスティング会社です。',
  anyChoose:
    '{domain}を選び、DNSレコードを開きます。ページの名前は「DNS」「Zone Editor」「Advanced DNS」などです。',
  anyName:
    '多くのプロバイダーは、名前に{domain}を自動で付け足します。名前は上のとおりに入力してください。フォームに「@」を入力できない場合は、名前を空欄にします。保存した値の末尾に{domain}が付いた場合は、値の末尾に「.」を付けます。',
  deleteOthers:
    '名前が{name}のほかのレコードを、削除または編集します。CNAMEは唯一のレコードにする必要があります。',
  deleteAtApex:
    '{domain}そのものにあるA、AAAA、CNAMEレコードを、削除または編集します。MX、NS、TXTレコードは残してください。',
  deleteAtApexAndWww:
    '{domain}そのものにあるA、AAAA、CNAMEレコードと、名前が{name}のほかのレコードを、削除または編集します。MX、NS、TXTレコードは残してください。',
  fillOne: '上の{type}レコードをフォームに入力し、保存します。TTLなど、ほかの項目は初期値のままにします。',
  fillMany:
    '上の{count}件のレコードを1件ずつフォームに入力し、それぞれ保存します。TTLなど、ほかの項目は初期値のままにします。',
};

export const JA_CAUTIONS: Texts['cautions'] = {
  oneRecordSet: '{at}では、同じ名前と種類の値を1つのレコードにまとめます。一緒に入力してください。',
  submitChanges: '変更は、内容を確認して送信するまで反映されません。',
  defaultLine: '回線は{value}のままにしてください。ほかの設定では、一部の訪問者にしかレコードが見えません。',
  optionOff: '{option}は{value}のままにしてください。',
  ownRecords:
    '{at}は{domain}とwwwに独自のレコードを追加します。同じ名前のレコードを編集または削除してください。',
  parkingRecords: '新しいドメインにはパーキング用のレコードがあります。同じ名前のものを削除してください。',
  newZoneRecords:
    '新しいゾーンには、{domain}のAレコードと、すべてのサブドメインのCNAMEがあります。同じ名前のものを編集または削除してください。',
  apexRecord: '{domain}そのものを接続する場合は、{at}が設定した{type}レコードを削除してください。',
  apexParked:
    '{domain}そのものを接続し、ドメインが新しい場合は、名前が「@」で値が{value}のAレコードも削除してください。',
  presetRecords:
    'プリセット{option}には、{domain}とwwwのレコードがあります。どちらかを接続する場合は、先にプリセットを削除してください。',
  accelerationOff:
    'これらのレコードでは{option}をオフにしてください。オンにすると、名前が{at}のアドレスを指します。',
  orangeCloud:
    'オレンジ色の雲をオフにし、各レコードのプロキシステータスを灰色の雲の{value}にしてください。プロキシがオンだと、名前が{at}のアドレスを指すため、接続の手順が増えるか、接続に失敗します。',
  dotAfterCname: 'CNAMEの値の末尾に「.」を付けてください。付けないと、{at}が{domain}を付け足します。',
  checkValue:
    '保存したら一覧を確認してください。CNAMEの値の末尾に{domain}が付いていたら、編集して末尾に「.」を付けてください。',
  checkName:
    '保存したら一覧を確認してください。名前は完全なホスト名で、{domain}が1回だけ含まれる必要があります。',
  onlyHost: '上に示した名前だけを入力してください。{at}が{domain}を付け足します。',
  deleteSameName: '同じ名前で種類が{type}のレコードがあれば、先に削除してください。',
  deleteRedirect: '同じ名前に転送やパーキングページが設定されていれば、先にオフにしてください。',
  featureOff: '先に、この名前の{option}をオフにしてください。',
  parkingOff: 'DNSの設定が{option}または{value}の間、{at}はお客様のレコードを公開しません。',
  hostedName:
    '{domain}が{at}でホスティングされている間は、AレコードとAAAAレコードを削除できません。先に、その名前のホスティングを{value}にしてください。',
  reseller:
    '多くの会社が{at}を通じてドメインを販売しています。アカウントがない場合は、ドメインを購入した会社にログインしてください。',
  movedTo:
    '{option}でドメインを購入した場合は、代わりに{value}にログインしてください。ドメインはそちらに移行しています。',
  oldConsole: 'ゾーンを{option}に移行していない場合は、{value}にあります。',
  liveNameServers: 'ネームサーバーは{value}で問題ありません。公開中のドメインにも使われています。',
  switchedOff:
    '{at}のウェブサイト、転送、メールが同じ名前を使っている場合、{at}は無効になるレコードを表示します。そのサービスが不要な場合だけ、承認してください。',
  hostingPanel: '{at}のホスティングをお使いの場合、レコードは{menu}にあります。',
  otherHost: 'レコードの対象を尋ねられたら、{domain}のサブドメインには{value}を選んでください。',
  quotedTxt: 'TXTレコードの値は、半角の二重引用符で囲んでください。',
  onePerLine: '複数の値は、同じ欄に1行に1つずつ入力してください。',
  twoZones:
    '{domain}のホストゾーンが2つある場合は、レジストラに設定されたネームサーバーのものを使ってください。',
  ownProject:
    '{at}のプロジェクトに同じホスト名があると、訪問者にはそのプロジェクトが表示されます。プロジェクト設定の{menu}から、そのホスト名を削除してください。',
  ownSite:
    '{domain}が{at}のサイトに接続されている間は、サイトが{domain}とwwwを使います。どちらかを接続する場合は、先にサイトの接続を解除してください。',
  noAaaa: '{at}にAAAAの欄がない場合は、そのレコードを省いてください。',
};

export const JA_PANEL_NAMES: Texts['panelNames'] = {
  label: '「{name}」',
  value: '「{name}」',
  path: ' › ',
  next: '',
};
