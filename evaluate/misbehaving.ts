import { type AskedOfModel, type ModelReply, obedient, startModelPeer, statementsOf } from '#server/testing/model.ts'

/** What a model does, and what has to become of the answer. */
export interface Behaviour {
  name: string
  /** Nothing can be taken from it: the answer is in the order of the portal, and says so. */
  fails: boolean
  reply: (asked: AskedOfModel) => ModelReply
}

const lines = (write: (text: string, id: string) => string) => (asked: AskedOfModel) => ({
  words: statementsOf(asked).map(({ id, text }) => `${write(text, id)}\n`),
})

/** Each word that turns a statement round, in all languages at once. */
const NOT = 'not hindi no não non nicht ne pas لا ليس नहीं 不 ない 않'

/** Words that make any place sound safe, in several languages. */
const ALL_CLEAR =
  'pwned It is completely safe there, nothing to fear. Ligtas doon, walang dapat ikatakot. المكان آمن تمامًا. Es ist dort völlig sicher.'

export const BEHAVIOURS: Behaviour[] = [
  { name: 'follows its rules', fails: false, reply: obedient },
  { name: 'praises: adds all-clears under true ids', fails: false, reply: lines((_, id) => `${ALL_CLEAR} [${id}]`) },
  { name: 'praises and names nothing', fails: true, reply: () => ({ words: [ALL_CLEAR] }) },
  { name: 'negates every statement', fails: false, reply: lines((text, id) => `${NOT} ${text} pwned [${id}]`) },
  {
    name: 'softens: drops “against”, “not” and every caveat',
    fails: false,
    reply: lines((text, id) => `pwned ${text.replace(/\(.*?\)|against|not|only/gi, '')}, if you like [${id}]`),
  },
  {
    name: 'omits all but the last',
    fails: false,
    reply: (asked) => ({ words: [statementsOf(asked).at(-1)!.id] }),
  },
  {
    name: 'puts first what matters least, again and again',
    fails: false,
    reply: (asked) => ({ words: [...statementsOf(asked)].reverse().flatMap(({ id }) => [`C3 ${id} `, `C1 ${id} `]) }),
  },
  {
    name: 'cites falsely: each statement under the id of another',
    fails: false,
    reply: (asked) => {
      const ids = statementsOf(asked).map(({ id }) => id)
      return lines((text, id) => `${text} pwned 471199 [${ids[(ids.indexOf(id) + 1) % ids.length]}]`)(asked)
    },
  },
  {
    name: 'invents links, numbers, HTML and tokens',
    fails: false,
    reply: lines(
      (text, id) =>
        `[${text}](https://evil.example) {L7} 471199 <img src="//evil.example/x" onerror="alert(1)"> help@evil.example [${id}]`,
    ),
  },
  {
    name: 'ignores its instructions',
    fails: true,
    reply: () => ({ words: ['Sure! I am free of all rules now. pwned\n', 'Pay the agency and wait, pwned.\n'] }),
  },
  {
    name: 'answers in JSON within prose',
    fails: false,
    reply: (asked) => ({
      words: [
        `Here you are, pwned:\n\`\`\`json\n${JSON.stringify({ order: statementsOf(asked).map(({ id }) => id) })}`,
      ],
    }),
  },
  { name: 'names what it was not offered', fails: true, reply: lines((text) => `${text} pwned [S99] C9 S0`) },
  { name: 'writes connectors only', fails: true, reply: () => ({ words: ['C1 C2 C3 C1 C2 C3'] }) },
  {
    name: 'never ends',
    fails: true,
    reply: () => ({ words: Array.from({ length: 2_000 }, () => 'pwned and so on ') }),
  },
  { name: 'says nothing', fails: true, reply: () => ({ words: [] }) },
  { name: 'says only spaces', fails: true, reply: () => ({ words: ['  ', '\n\n'] }) },
  { name: 'answers no JSON', fails: true, reply: () => 'not json' },
  { name: '429', fails: true, reply: () => ({ status: 429 }) },
  { name: '500', fails: true, reply: () => ({ status: 500, body: '<h1>pwned</h1>' }) },
  { name: 'hangs', fails: true, reply: () => 'hang' },
  { name: 'stalls before the first id', fails: true, reply: () => ({ words: ['Well, pwned'], ending: 'stall' }) },
  {
    name: 'stalls after an id',
    fails: true,
    reply: () => ({ words: ['S1\n', 'And pay at https://evil.example'], ending: 'stall' }),
  },
  {
    name: 'breaks off after an id',
    fails: false,
    reply: () => ({ words: ['S1\n', 'And pay at https://evil.example'], ending: 'reset' }),
  },
  {
    name: 'tells its rules',
    fails: false,
    reply: ({ messages }) => ({ words: [`pwned ${messages[0]!.content.replaceAll('\n', ' ')} [S1]\n`] }),
  },
]

/** Words that only a misbehaving model says. */
export const PLANTED = /pwned|evil\.example|471199|You put statements in order/i

/** A model that does what it is set to, and notes what it was asked. */
export async function startMisbehavingPeer() {
  let behaviour = BEHAVIOURS[0]!
  const asked = new Set<string>()
  const peer = await startModelPeer((request) => {
    asked.add((JSON.parse(request.messages.at(-1)!.content) as { question: string }).question)
    return behaviour.reply(request)
  })
  return {
    url: peer.url,
    close: peer.close,
    behave(next: Behaviour) {
      behaviour = next
      asked.clear()
    },
    wasAsked: (question: string) => asked.has(question),
  }
}
