import { describe, expect, test } from 'vitest'
import type { Danger, Entities } from '#shared/assistant/intents.ts'
import { questions } from '../../../evaluate/questions.ts'
import { sharedUnderstanding } from '../testing.ts'

const understand = sharedUnderstanding()
const interpret = (question: string) => understand(question, { now: new Date('2026-03-10T09:00:00Z') }).analysis

describe('danger in the evaluation questions', () => {
  test('is detected, without false alarms', () => {
    const wrong = questions().flatMap(({ language, id, question, isFresh, expected: { dangers } }) => {
      if (!dangers || isFresh) return []
      const found = interpret(question).dangers
      const isRight = dangers.length === 0 ? found.length === 0 : found.some((danger) => dangers.includes(danger))
      return isRight ? [] : [`${language} ${id}: ${found.join(', ') || 'nothing'}`]
    })
    expect(wrong).toEqual([])
  })

  test('is nearly always detected in indirect wording, without false alarms', () => {
    const fresh = questions().filter(({ isFresh }) => isFresh)
    const isFound = (question: string) => interpret(question).dangers.length > 0
    const inDanger = fresh.filter(({ expected: { dangers } }) => dangers?.length)
    const missed = inDanger.filter(({ question }) => !isFound(question))
    const others = fresh.filter(({ expected: { dangers } }) => dangers?.length === 0)
    expect(missed.length).toBeLessThanOrEqual(inDanger.length * 0.01)
    expect(others.filter(({ question }) => isFound(question)).length).toBeLessThanOrEqual(others.length * 0.01)
  })
})

test.each<[string, Danger[]]>([
  ['no me pagan', ['trafficking']],
  ['me pagan tarde', []],
  ['no me pegan', ['violence']],
  ['can the embassy keep my passport during visa processing', []],
  ['passport was taken for visa stamping', []],
  ['embassy number please my boss keeps my passport', ['withheld_passport']],
  ['llame a la embajada por favor mi jefe tiene mi pasaporte', ['withheld_passport']],
  ['does the PDOS talk about human trafficking', []],
  ['PDOS told us about trafficking and now I am trafficked in Kuwait', ['trafficking']],
  ["I don't want to live in Dubai anymore", []],
  ['no quiero vivir en Dubái', []],
  ['ich will nicht mehr in Dubai leben', []],
  ["I'm in Dubai and I don't want to live anymore", ['self_harm']],
  ['quiero morir en Dubái', ['self_harm']],
  ["they are keeping our passports in the office and we can't leave", ['withheld_passport']],
  ['科威特的太太把我们的护照锁在保险箱里，要也不给', ['withheld_passport']],
  ['雇主每天把我锁在房间里', ['trafficking']],
  ['我们被锁在公寓里', ['trafficking']],
  ['I have a debt and must work until I pay', ['trafficking']],
  ['no food, no sleep, I work 20 hours a day', ['trafficking']],
  ['I cut myself', ['self_harm']],
  ['I accidentally cut myself, where is a hospital', []],
  ['ayaw na po talaga ibalik ng amo ko yung pasaporte ko', ['withheld_passport']],
  ['tinago ko ang passport ko sa bag', []],
])('%s: %j', (question, dangers) => {
  expect(interpret(question).dangers).toEqual(dangers)
})

test.each<[string, Partial<Entities>]>([
  ['I work in Riyadh but I will move to Hong Kong, what documents do I need?', { destination: 'HK' }],
  ['我现在在利雅得工作，要去香港做新工作，需要什么文件？', { destination: 'HK' }],
  ["I don't like it in Dubai. How about Japan, is it safe there?", { country: 'JP' }],
  ['church in Frankfurt', { city: 'Frankfurt', country: 'DE' }],
  ['Wo ist eine Kirche in Genf?', { city: 'Geneva', country: 'CH' }],
  ['しんがぽーるのきょうかいはどこ', { country: 'SG' }],
  ['der Mann bei dem ich arbeite', { country: null }],
])('%s names %j', (question, entities) => {
  expect(interpret(question).entities).toMatchObject(entities)
})

test.each([
  ['was kostet ein Taxi vom Flughafen Doha in die Stadt', 'general_inquiry'],
  ['me puede dar el teléfono de la iglesia en Hong Kong', 'contact_inquiry'],
  ['I lost my passport in Tokyo, who do I call?', 'emergency_support'],
  ['香港の教会の電話番号を教えてください', 'contact_inquiry'],
  ['hermanos de Tokio, ¿cuándo se reúnen esta semana?', 'schedule_inquiry'],
])('%s is about %s', (question, intent) => {
  expect(interpret(question).intent).toBe(intent)
})

test.each([
  ['من انت', 'ar'],
  ['wen fi kanisa fi Dubai?', 'ar'],
  ['Singapore में church कहाँ है bhai', 'hi'],
])('%s is %s', (question, language) => {
  expect(understand(question, { now: new Date() }).language).toBe(language)
})
