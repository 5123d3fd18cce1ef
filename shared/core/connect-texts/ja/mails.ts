import type { Texts } from '../catalog.ts';

export const JA_MAILS: Texts['mails'] = {
  confirmSubject: '{hostname}のお知らせを受け取るメールアドレスの確認',
  confirmAsked: '{hostname}が{app}に接続されたらお知らせするよう、ご依頼がありました。',
  confirmOpen: 'お知らせを受け取るには、次のページを開いて、メールアドレスを確認してください：',
  confirmIgnore:
    'お心当たりがない場合は、このメールを無視してください。今後メールをお送りすることはありません。',
  liveSubject: '{hostname}が公開されました',
  liveText: '{hostname}は{app}に接続され、HTTPSで利用できます：',
  brokenSubject: '{hostname}が表示されなくなりました。DNSの修正が必要です',
  brokenText: 'DNSが変更されたため、{hostname}は{app}につながらなくなりました。',
  toDo: '対応方法：',
  onlyThese:
    'このメールは、ご依頼によりお送りしています。メールをお送りするのは、ドメインが公開されたときと、接続が切れたときです。',
  stop: 'メールを停止するには、次のページを開いてください：',

  hello: 'お世話になっております。',
  pleaseAdd: {
    other:
      '{domain}に、下記のDNSレコードを追加していただけますか。{hostname}を{app}に接続するためのものです。',
  },
  pleaseChange: '{domain}について、下記の変更をお願いできますか。{hostname}を{app}に接続するためのものです。',
  whatToDo: '{app}によると、必要な作業は次のとおりです：',
  afterwards: { other: '変更後のDNSレコードは、次のようになります：' },
  pageTells: '手順と、うまくいったかどうかは、次のページで確認できます：',
  thanks: 'よろしくお願いいたします。',
  subjectAdd: { other: '{hostname}のDNSレコードについて' },
  subjectChange: '{hostname}の変更のお願い',
  restartSubject: '{hostname}の設定再開のお願い',
  questionSubject: '{hostname}についてのお問い合わせ',
  aboutPage: '{app}での{hostname}の設定について、次のページをご覧ください：',
  field: '{label}：{value}',
};
