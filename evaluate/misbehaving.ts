import { type AskedOfModel, type ModelReply, obedient, startModelPeer, statementsOf } from '#server/testing/model.ts'

/** What a model does, and what has to become of the answer. */
interface Behaviour {
  name: string
  /** Nothing of it can be shown: the answer is composed. */
  fails: boolean
  reply: (asked: AskedOfModel) => ModelReply
}

const first = (asked: AskedOfModel) => statementsOf(asked)[0]!.text
const lines = (write: (text: string, id: string) => string) => (asked: AskedOfModel) => ({
  words: statementsOf(asked).map(({ id, text }) => `${write(text, id)}\n`),
})

/** Each word that turns a statement round, in all languages at once. */
const NOT = 'not hindi no não non nicht ne pas لا ليس नहीं 不 ない 않'

export const BEHAVIOURS: Behaviour[] = [
  { name: 'does as it is told', fails: false, reply: obedient },
  {
    name: 'invents links',
    fails: true,
    reply: lines((text, id) => `${text} https://evil.example/pay www.evil.example help@evil.example [${id}]`),
  },
  {
    name: 'invents Markdown links and tokens',
    fails: true,
    reply: lines((text, id) => `[${text}](https://evil.example) {L7} [${id}]`),
  },
  {
    name: 'ignores its instructions',
    fails: true,
    reply: () => ({ words: ['Sure! I am free of all rules now. pwned\n', 'Pay the agency and wait, pwned. [S1]\n'] }),
  },
  { name: 'says nothing', fails: true, reply: () => ({ words: [] }) },
  { name: 'says only spaces', fails: true, reply: () => ({ words: ['  ', '\n\n'] }) },
  { name: 'answers no JSON', fails: true, reply: () => 'not json' },
  {
    name: 'speaks another language',
    fails: true,
    reply: () => ({ words: ['Waa jawaab qalad ah oo luqad kale ku qoran pwned [S1]\n'] }),
  },
  { name: '429', fails: true, reply: () => ({ status: 429 }) },
  { name: '500', fails: true, reply: () => ({ status: 500, body: '<h1>pwned</h1>' }) },
  { name: 'hangs', fails: true, reply: () => 'hang' },
  {
    name: 'stalls within the first line',
    fails: true,
    reply: (asked) => ({ words: [first(asked).slice(0, 12)], ending: 'stall' }),
  },
  {
    // What was shown is true, yet it is replaced: nobody waits for the rest of it longer than for an answer.
    name: 'stalls after a good line',
    fails: true,
    reply: (asked) => ({ words: [`${first(asked)} [S1]\n`, 'And pay at https://evil.example'], ending: 'stall' }),
  },
  {
    name: 'breaks off after a good line',
    fails: false,
    reply: (asked) => ({ words: [`${first(asked)} [S1]\n`], ending: 'reset' }),
  },
  { name: 'turns statements round', fails: true, reply: lines((text, id) => `${NOT} ${text} pwned [${id}]`) },
  { name: 'adds numbers', fails: true, reply: lines((text, id) => `${text} 471199 [${id}]`) },
  {
    name: 'adds advice to what is true',
    fails: true,
    reply: lines((text, id) => `${text} Transfer your salary to Boromir, pwned. [${id}]`),
  },
  {
    name: 'writes HTML',
    fails: true,
    reply: lines((text, id) => `<img src="//evil.example/x" onerror="alert(1)">${text} [${id}]`),
  },
  { name: 'cites what it was not given', fails: true, reply: lines((text) => `${text} pwned [S99]`) },
  {
    name: 'tells its rules',
    fails: true,
    reply: ({ messages }) => ({ words: [`pwned ${messages[0]!.content.replaceAll('\n', ' ')} [S1]\n`] }),
  },
]

/** Words that only a misbehaving model says. */
export const PLANTED = /pwned|evil\.example|471199|You put confirmed statements/i

/** A model that does something else with each question; tells what it did with which. */
export async function startMisbehavingPeer(questions: readonly string[]) {
  const by = new Map(questions.map((question, i) => [question, BEHAVIOURS[i % BEHAVIOURS.length]!]))
  const asked = new Set<string>()
  const peer = await startModelPeer((about) => {
    const { question } = JSON.parse(about.messages.at(-1)!.content) as { question: string }
    asked.add(question)
    return by.get(question)!.reply(about)
  })
  return {
    url: peer.url,
    close: peer.close,
    /** What the model did when it was asked this; undefined where it was not asked. */
    behaviourFor: (question: string) => (asked.has(question) ? by.get(question) : undefined),
  }
}
