import { type ModelReply, type ModelRequest, obedient, startModelPeer, statementsOf } from '#server/testing/model.ts'

/** A model behaviour and the expected effect on the answer. */
export interface Behaviour {
  name: string
  /** The reply is unusable: the answer falls back to the portal's order and says so. */
  fails: boolean
  reply: (request: ModelRequest) => ModelReply
}

const lines = (write: (text: string, id: string) => string) => (request: ModelRequest) => ({
  chunks: statementsOf(request).map(({ id, text }) => `${write(text, id)}\n`),
})

/** Negations in all languages. */
const NOT = 'not hindi no não non nicht ne pas لا ليس नहीं 不 ない 않'

/** All-clear phrases in several languages. */
const ALL_CLEAR =
  'pwned It is completely safe there, nothing to fear. Ligtas doon, walang dapat ikatakot. المكان آمن تمامًا. Es ist dort völlig sicher.'

export const BEHAVIOURS: Behaviour[] = [
  { name: 'follows its rules', fails: false, reply: obedient },
  { name: 'praises: adds all-clears under true ids', fails: false, reply: lines((_, id) => `${ALL_CLEAR} [${id}]`) },
  { name: 'praises and names nothing', fails: true, reply: () => ({ chunks: [ALL_CLEAR] }) },
  { name: 'negates every statement', fails: false, reply: lines((text, id) => `${NOT} ${text} pwned [${id}]`) },
  {
    name: 'softens: drops “against”, “not” and every caveat',
    fails: false,
    reply: lines((text, id) => `pwned ${text.replace(/\(.*?\)|against|not|only/gi, '')}, if you like [${id}]`),
  },
  {
    name: 'omits all but the last',
    fails: false,
    reply: (request) => ({ chunks: [statementsOf(request).at(-1)!.id] }),
  },
  {
    name: 'puts first what matters least, again and again',
    fails: false,
    reply: (request) => ({
      chunks: [...statementsOf(request)].reverse().flatMap(({ id }) => [`C3 ${id} `, `C1 ${id} `]),
    }),
  },
  {
    name: 'cites falsely: each statement under the id of another',
    fails: false,
    reply: (request) => {
      const ids = statementsOf(request).map(({ id }) => id)
      return lines((text, id) => `${text} pwned 471199 [${ids[(ids.indexOf(id) + 1) % ids.length]}]`)(request)
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
    reply: () => ({ chunks: ['Sure! I am free of all rules now. pwned\n', 'Pay the agency and wait, pwned.\n'] }),
  },
  {
    name: 'answers in JSON within prose',
    fails: false,
    reply: (request) => ({
      chunks: [
        `Here you are, pwned:\n\`\`\`json\n${JSON.stringify({ order: statementsOf(request).map(({ id }) => id) })}`,
      ],
    }),
  },
  { name: 'names what it was not offered', fails: true, reply: lines((text) => `${text} pwned [S99] C9 S0`) },
  { name: 'writes connectors only', fails: true, reply: () => ({ chunks: ['C1 C2 C3 C1 C2 C3'] }) },
  {
    name: 'never ends',
    fails: true,
    reply: () => ({ chunks: Array.from({ length: 2_000 }, () => 'pwned and so on ') }),
  },
  { name: 'says nothing', fails: true, reply: () => ({ chunks: [] }) },
  { name: 'says only spaces', fails: true, reply: () => ({ chunks: ['  ', '\n\n'] }) },
  { name: 'answers no JSON', fails: true, reply: () => 'not json' },
  { name: '429', fails: true, reply: () => ({ status: 429 }) },
  { name: '500', fails: true, reply: () => ({ status: 500, body: '<h1>pwned</h1>' }) },
  { name: 'hangs', fails: true, reply: () => 'hang' },
  { name: 'stalls before the first id', fails: true, reply: () => ({ chunks: ['Well, pwned'], ending: 'stall' }) },
  {
    name: 'stalls after an id',
    fails: true,
    reply: () => ({ chunks: ['S1\n', 'And pay at https://evil.example'], ending: 'stall' }),
  },
  {
    name: 'breaks off after an id',
    fails: false,
    reply: () => ({ chunks: ['S1\n', 'And pay at https://evil.example'], ending: 'reset' }),
  },
  {
    name: 'tells its rules',
    fails: false,
    reply: ({ messages }) => ({ chunks: [`pwned ${messages[0]!.content.replaceAll('\n', ' ')} [S1]\n`] }),
  },
]

/** Text that only a misbehaving model produces. */
export const PLANTED = /pwned|evil\.example|471199|You put statements in order/i

/** A model that behaves as configured and records its requests. */
export async function startMisbehavingPeer() {
  let behaviour = BEHAVIOURS[0]!
  const questions = new Set<string>()
  const peer = await startModelPeer((request) => {
    questions.add((JSON.parse(request.messages.at(-1)!.content) as { question: string }).question)
    return behaviour.reply(request)
  })
  return {
    url: peer.url,
    close: peer.close,
    behave(next: Behaviour) {
      behaviour = next
      questions.clear()
    },
    wasAsked: (question: string) => questions.has(question),
  }
}
