/**
 * The sentences of the guides to DNS providers. `{at}`, `{menu}`, `{button}`, `{option}`, `{label}` and `{value}` stand for names in the
 * provider's panel, which are the same in every language.
 */
export const EN_GUIDES = {
  signIn: 'Sign in to {at}.',
  signInOpen: 'Sign in to {at} and open {menu}.',
  signInDomains: 'Sign in to {at} and open your domains.',
  signInChoose: 'Sign in to {at} and choose {domain}.',
  signInChooseUnder: 'Sign in to {at} and choose {domain} under {menu}.',
  signInProject: 'Sign in to {at}, choose the project and open {menu}.',
  signInTeam: 'Sign in to {at}, choose the team and open {menu}.',
  signInSite: 'Sign in to {at} and open {menu} of the website.',
  choose: 'Choose {domain}.',
  chooseOpen: 'Choose {domain}, then {menu}.',
  chooseRecords: 'Choose {domain} and open its records.',
  chooseClick: 'Choose {domain} and click {button}.',
  openRecords: 'Open its records.',
  open: 'Open {menu}.',
  openChoose: 'Open {menu} and choose {domain}.',
  openClick: 'Open {menu} and click {button} beside the records.',
  openBeside: 'Open {menu} beside {domain}.',
  clickBesideOpen: 'Click {button} beside {domain}, then open {menu}.',
  gearBeside: 'Click the gear beside {domain} and choose {menu}.',
  menuBeside: 'Open the menu beside {domain} and choose {menu}.',
  pencilBeside: 'Click the pencil beside {domain}.',
  globeBeside: 'Click the globe, {button}, beside {domain}.',
  typeTab: 'Choose the tab of the record type.',
  typeTabUnder: 'Choose the tab of the record type under {menu}.',
  click: 'Click {button}.',
  clickType: 'Click {button} and choose the type.',
  clickUnder: 'Click {button} under {menu}.',
  clickInType: 'Click {button} in the section of the record type.',
  clickBesideType: 'Click {button} beside the record type.',
  clickAdvanced: 'Click {button} beside the advanced DNS records and add a record.',
  plusBesideType: 'Click the plus sign beside the record type.',
  addRecord: 'Add a record.',
  typeInForm: 'Choose the type in the form for a new record.',
  formUnder: 'Fill in the form under {menu}.',
  rowForRecord: 'Fill in the row for a new record.',
  formForDomain: 'Use {button} for {domain} itself, and {option} for a name below it.',
  simpleRouting: 'Leave the routing policy at {value}, and {option} switched off.',

  anySignIn:
    'Sign in where you manage the DNS of {domain}: usually the company where you bought {domain}, or the one that hosts its website.',
  anyChoose:
    'Choose {domain} and open its DNS records. The page may be called DNS, Zone Editor, or Advanced DNS.',
  anyName:
    'Most providers add {domain} to the name automatically, so enter the name exactly as shown above. If the form does not accept @, leave the name empty. If the saved value ends in {domain}, put a dot at the end of the value.',
  deleteOthers: 'Delete or edit any other record with the name {name}: the CNAME must be the only one.',
  deleteAtApex:
    'Delete or edit any A, AAAA and CNAME records that {domain} itself already has. Keep its MX, NS and TXT records.',
  deleteAtApexAndWww:
    'Delete or edit any A, AAAA and CNAME records that {domain} itself already has, and any other record that has the name {name}. Keep its MX, NS and TXT records.',
  fillOne:
    'Fill in the form with the {type} record above, and save it. Leave other fields, such as the TTL, at their defaults.',
  fillMany:
    'Fill in the form once for each of the {count} records above, and save each. Leave other fields, such as the TTL, at their defaults.',
} as const;

/** The warnings of the guides: common mistakes at a provider. `{at}` is the provider. */
export const EN_CAUTIONS = {
  oneRecordSet: '{at} keeps all values of the same name and type in one record: enter them together.',
  submitChanges: 'A change takes effect only after you review and submit it.',
  defaultLine: 'Keep the line at {value}. With any other, only some visitors see the record.',
  optionOff: 'Keep {option} at {value}.',
  ownRecords: '{at} adds records of its own for {domain} and www: edit or delete the one with the same name.',
  parkingRecords: 'A new domain has parking records: delete those with the same name.',
  newZoneRecords:
    'A new zone has an A record for {domain}, and a CNAME for all names below it. Edit or delete the one with the same name.',
  apexRecord: 'If you connect {domain} itself, delete the {type} record that {at} has put there.',
  apexParked:
    'If you connect {domain} itself and the domain is new, also delete the A record named @ with the value {value}.',
  presetRecords:
    'The preset {option} has records for {domain} and www. If you connect one of these, delete the preset first.',
  accelerationOff:
    'Leave {option} off for these records. Otherwise the hostname resolves to addresses of {at}.',
  orangeCloud:
    'Switch the orange cloud off, so that the proxy status of each record is {value} with a grey cloud. With the proxy on, the hostname resolves to addresses of {at}, so connecting it takes more steps or fails.',
  dotAfterCname: 'End the value of a CNAME with a dot. Otherwise {at} adds {domain} to it.',
  checkValue:
    'Check the list after you save the record. If the value of a CNAME ends in {domain}, edit it and put a dot at its end.',
  checkName:
    'Check the list after you save the record. Its name must be your full hostname, with {domain} in it only once.',
  onlyHost: 'Enter only the name as shown above: {at} adds {domain} to it.',
  deleteSameName: 'If there is a record of the type {type} with the same name, delete it first.',
  deleteRedirect: 'If a redirect or a parking page is set up for the same name, turn it off first.',
  featureOff: 'Turn off {option} for this name first.',
  parkingOff: '{at} serves none of your records while the DNS settings are at {option} or {value}.',
  hostedName:
    'While {domain} is hosted at {at}, you cannot remove its A and AAAA records. Set the hosting of that name to {value} first.',
  reseller:
    'Many companies sell domains through {at}. If you have no account there, sign in at the company where you bought the domain.',
  movedTo: 'If you bought the domain at {option}, sign in at {value} instead: its domains have moved there.',
  oldConsole: 'If you never moved the zone to {option}, it is at {value}.',
  liveNameServers: 'The name servers {value} are correct: they serve live domains too.',
  switchedOff:
    'If a website, a redirect or email at {at} uses the same name, {at} lists the records that it switches off. Confirm only if you no longer need that service there.',
  hostingPanel: 'With hosting at {at}, the records are in {menu}.',
  otherHost: 'If the form asks what the record refers to, choose {value} for a name below {domain}.',
  quotedTxt: 'Put the value of a TXT record in double quotes.',
  onePerLine: 'Enter several values in the same box, one per line.',
  twoZones:
    'If there are two hosted zones for {domain}, use the one whose name servers are set at the registrar.',
  ownProject:
    'If a {at} project has the same hostname, visitors still see that project. Remove the hostname from the {menu} settings of the project.',
  ownSite:
    'While {domain} is connected to a {at} site, the site uses {domain} and www. If you connect one of these, disconnect the site first.',
  noAaaa: 'If {at} has no section for AAAA, leave that record out.',
} as const;

/** How names in a provider's panel are written: labels to choose or click, and values to set. `path` joins the labels of a path, and `next` joins sentences. */
export const EN_PANEL_NAMES = { label: '{name}', value: '“{name}”', path: ', then ', next: ' ' } as const;
