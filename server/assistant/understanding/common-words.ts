/**
 * Folded stop words. They distinguish the languages in Latin script where a question is too short for the n-grams of
 * tinyld. `other` has languages outside the twelve that are easily confused with one of them: Indonesian, Malay, Dutch,
 * Vietnamese, Catalan.
 */
export const COMMON_WORDS = {
  en: `the a an and of to in is are was were be been am i im you he she it its we they my your his her our their me him them us this that these
    those what when where who which why how do does did dont doesnt can cant cannot could should would will wont may must have has had not no yes
    for from with about at on by or if but so as there here any some all need want please thanks hello hi get go going know tell many much long
    often near next new give find take very more only also just still because while than then before after under until into out up down`,
  tl: `ang ng mga sa na po ho ay at ko mo ka ako ikaw siya kami kayo tayo sila namin natin ninyo niyo nila niya nya kanila kanya akin amin inyo
    atin ba bang kung para paano pano saan san nasaan asan kailan sino ano anong alin bakit magkano ilan gaano may meron mayroon wala walang hindi di
    huwag wag dito diyan doon dun rito ito iyan iyon yung yun ung ito'y pwede puwede pede gusto kailangan dapat lang lamang din rin daw raw naman
    nga pala kasi dahil pero ngunit o ni nina si sina kay kina ng nang pag kapag pagkatapos bago habang muna ulit uli talaga sana paki pakisabi
    salamat opo oo kumusta kamusta mabuti magandang araw umaga gabi hapon bukas ngayon kahapon mag nag ibang lahat bawat isa dalawa kapatid tulong`,
  es: `el la los las un una unos unas de del al y o que en es son esta estan este esto esos ese eso soy eres somos fue ser estar hay con sin por para
    como cuando donde adonde quien cual cuales cuanto cuanta cuantos cuantas porque pero si no mi mis tu tus su sus me te se le les lo nos yo ella ellos
    usted ustedes nosotros puedo puede pueden necesito quiero tengo tiene tienen hacer ir voy va muy mas menos tambien ya aqui alli ahora hoy manana
    hola gracias favor sobre entre hasta desde todo todos otra otro antes despues solo cada mucho`,
  fr: `le la les un une des de du et ou que qui en est sont suis es etes sommes etre ce cet cette ces c d l j n qu s il elle ils elles je tu nous vous on
    me te se mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs avec sans pour par dans sur sous chez comment quand quel quelle quels
    quelles combien pourquoi mais si ne pas plus moins aussi y a ai as avons avez ont faire aller vais puis puisje peux peut faut dois besoin voudrais
    bonjour merci oui non tres tout tous toute ici la au aux apres avant entre encore deja alors`,
  de: `der die das den dem des ein eine einen einem einer eines und oder ist sind bin bist war waren sein ich du er sie es wir ihr mein meine meinen
    meinem meiner dein deine ihre ihren ihrem unser unsere mich dich mir dir uns euch ihn ihm nicht kein keine keinen ja nein mit ohne fur von vom zu
    zum zur in im am an auf aus bei beim nach uber unter vor wie was wer wo wohin woher wann warum welche welcher welches wieviel viel viele haben
    hat habe hatte kann kannst konnen konnte muss mussen soll darf mochte brauche brauchen will werden wird wurde gibt es auch nur noch schon sehr mehr
    hallo danke bitte heute morgen jetzt hier dort dass wenn aber weil als`,
  it: `il lo la i gli le un uno una di del dello della dei degli delle da dal dalla in nel nella nei nelle su sul sulla con per tra fra e ed o che chi
    cosa come quando dove quale quali quanto quanta quanti perche ma se non si mi ti ci vi lo io tu lui lei noi voi loro mio mia miei tuo tua suo sua
    nostro nostra sono sei siamo siete essere ho hai ha abbiamo hanno avere fare andare vado posso puo possono devo deve voglio vorrei serve bisogno
    questo questa questi quello quella c l d all dell nell anche piu meno molto gia ancora qui qua ora oggi domani ciao grazie buongiorno prima dopo al
    alla ai alle ogni tutto tutti`,
  pt: `o a os as um uma uns umas de do da dos das no na nos nas em ao aos e ou que quem qual quais como quando onde quanto quanta quantos quantas porque por
    para pelo pela com sem mas se nao sim meu minha meus minhas teu seu sua seus suas eu tu voce voces ele ela eles elas nos me te lhe sou es somos sao
    esta estao estou ser estar foi tem tenho temos ter ha fazer ir vou vai posso pode podem preciso quero queria muito mais menos tambem ja ainda aqui
    ali la agora hoje amanha ola obrigado obrigada favor este esta isto esse essa isso aquele todo todos depois antes ate entre sobre cada`,
  other: `yang dan di dengan untuk ini itu tidak ada saya apa bagaimana dari ke pada adalah akan juga oleh kami mereka bisa boleh dalam atau karena
    seperti lebih sudah telah kita anda bagi tersebut belum hari orang
    het een van niet ik je jij wij zij hij voor maar ook aan naar bij wat waar hoe kan moet zijn heb heeft deze dit er nog wel dat uit door om op te
    khong cua va la mot cac nhung duoc toi ban trong nguoi nay cho den khi voi co the rat nhu
    amb els dels aquest aquesta pero tambe mes molt perque quan nosaltres seva seu una uns al als pel per es ha han hi ho que i si no
    och att som det inte jag ar pa med av for nie jest sie na do czy jak gdzie ve bir bu icin ile ne mi`,
} as const
