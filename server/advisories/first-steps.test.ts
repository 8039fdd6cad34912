import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { plainText } from './feeds/html.ts'
import { readCaCountry } from './feeds/readers/ca.ts'
import { readCap } from './feeds/readers/cap.ts'
import { readUk } from './feeds/readers/uk.ts'
import { readUs } from './feeds/readers/us.ts'
import { context, fixture } from './feeds/testing.ts'
import { sentences } from './feeds/text.ts'
import { firstStepsOf } from './first-steps.ts'

const NIGER = {
  description: '',
  detailed_information: null as string | null,
  recommendations: [] as string[],
  affected_countries: ['Niger'],
  language: 'en',
}
const stepsOf = (change: Partial<typeof NIGER>, isOwnList = false) =>
  firstStepsOf({ ...NIGER, ...change }, { isOwnList })
const inText = (html: string) => stepsOf({ detailed_information: html })

describe('instructions', () => {
  test.each([
    'Avoid demonstrations and crowds.',
    'Do not physically resist any robbery attempt.',
    'Never touch anything resembling unexploded munitions.',
    'U.S. citizens should avoid demonstrations.',
    'Persons in low-lying coastal areas should move inland to higher ground.',
    'If you are in Niger, stay indoors.',
    'Check local media for breaking events.',
    'Nigerien authorities require military escorts for any foreigners, including U.S. government personnel.',
  ])('for people there: %s', (sentence) => {
    expect(stepsOf({ description: sentence })).toEqual({ here: [sentence], planning: [], all: [] })
  })

  test.each([
    'Do not travel to Niger for any reason.',
    'Reconsider travel to Niger due to crime.',
    'We highly recommend that you buy insurance before you travel.',
    'Prepare a contingency plan for emergency situations.',
    'Bring enough supplies of prescription medicines.',
    'Check with your airline before your trip.',
  ])('for people who plan to go: %s', (sentence) => {
    expect(stepsOf({ description: sentence })).toEqual({ here: [], planning: [sentence], all: [] })
  })

  test.each([
    ['a remark', 'Drink spiking is common in bars.'],
    ['a remark that starts like an order', 'Access to medical care in Niger is limited.'],
    ['a question', 'Do you have insurance?'],
    ['a link', 'Visit our website for Travel to High-Risk Areas.'],
    ['a link in the middle', 'Prepare well and review the Traveler’s Checklist.'],
    [
      'a service for citizens of the source',
      'Enroll in the Smart Traveler Enrollment Program (STEP) to receive alerts.',
    ],
    ['a rule for employees', 'U.S. government employees must stay in armored vehicles.'],
    ['what another sentence explains', 'Do not travel to these areas for any reason.'],
    ['guidance named elsewhere', 'Follow their guidance and instructions.'],
    ['a case that may never come', 'If you are robbed, ask the police for a report.'],
    ['two sentences without a space', 'Check your insurance coverageDo not go near the border.'],
    ['an empty text', ''],
  ])('not %s: %s', (_, sentence) => {
    expect(stepsOf({ description: sentence })).toEqual({ here: [], planning: [], all: [] })
  })

  test('lists of what others do are none', () => {
    expect(
      inText(
        '<p>Kidnappers may:</p><ul><li>Plan with precision or target victims.</li></ul>' +
          '<p>Demonstrations often:</p><ul><li>Turn violent</li></ul>' +
          '<p>U.S. government personnel are required to:</p><ul><li>Observe a mandatory curfew.</li></ul>',
      ),
    ).toEqual({ here: [], planning: [], all: [] })
  })

  test('rules for embassy staff are advice where the source says that they are', () => {
    const rules = '<p>U.S. government employees must:</p><ul><li>Observe a mandatory curfew, and</li></ul>'
    expect(inText(rules).here).toEqual([])
    expect(inText(`${rules}<p>U.S. citizens in Niger are advised to take the same precautions.</p>`).here).toEqual([
      'Observe a mandatory curfew',
    ])
  })

  test('a list for those in the country is for them, and leaving now comes first', () => {
    expect(
      inText(
        '<p>If you are in Niger:</p><ul><li>keep your passport and insurance papers ready</li></ul>' +
          '<p>Keep a low profile. Avoid demonstrations. U.S. citizens in Niger should leave immediately.</p>',
      ).here,
    ).toEqual([
      'U.S. citizens in Niger should leave immediately.',
      'Avoid demonstrations.',
      'keep your passport and insurance papers ready',
      'Keep a low profile.',
    ])
  })

  test('whether to go at all comes before how to prepare', () => {
    const text = '<p>We recommend insurance to cover medical care. Do not travel to Niger.</p>'
    expect(inText(text).planning).toEqual(['Do not travel to Niger.', 'We recommend insurance to cover medical care.'])
  })

  test('German is understood, other languages only where the source lists its instructions', () => {
    const german =
      '<p>Vor Reisen nach Niger wird gewarnt.</p><ul><li>Meiden Sie Menschenansammlungen.</li>' +
      '<li>Beachten Sie die Hinweise auf unserer Seite.</li><li>Die Kriminalität ist hoch.</li></ul>'
    expect(stepsOf({ detailed_information: german, language: 'de' })).toEqual({
      here: ['Meiden Sie Menschenansammlungen.'],
      planning: ['Vor Reisen nach Niger wird gewarnt.'],
      all: [],
    })
    const arabic = { language: 'ar', recommendations: ['تجنب أماكن التجمعات.'] }
    expect(stepsOf(arabic)).toEqual({ here: [], planning: [], all: [] })
    expect(stepsOf(arabic, true).all).toEqual(arabic.recommendations)
  })

  test('what administrators list is shown as they wrote it, once', () => {
    const recommendations = ['Workers without a contract may not leave.', 'Avoid crowds.', 'Avoid crowds.']
    expect(stepsOf({ recommendations }, true)).toEqual({
      here: [],
      planning: [],
      all: ['Workers without a contract may not leave.', 'Avoid crowds.'],
    })
  })

  test('markup that was escaped stays text, and a text of 100 kB is read quickly', () => {
    expect(stepsOf({ description: 'Avoid <script>alert(1)</script> crowds.' }).here).toEqual([
      'Avoid <script>alert(1)</script> crowds.',
    ])
    const long = `<p>${'Avoid crowds in the north. '.repeat(1_000)}</p><p>${'Avoid '.repeat(20_000)}</p>`
    expect(inText(long).here).toEqual(['Avoid crowds in the north.'])
  })
})

describe('in real documents', () => {
  test.each([
    ['us', readUs, 'us-state-rss-2025-10-08.xml', 1_000],
    ['us archive', readUs, 'us/archive-2026-02-15-extract.json', 30],
    ['uk', readUk, 'uk/full-country.json', 8],
    ['ca', readCaCountry, 'ca/cta-cap-HT-2026-09.json', 6],
    ['cap', readCap, 'cap/wcatwc-warning.cap', 2],
  ])('of %s every step is a sentence of the source', async (_, read, path, least) => {
    const { items } = await read(fixture(path), context('https://example.org/'))
    let count = 0
    for (const item of items) {
      const steps = firstStepsOf({ ...item, affected_countries: [] }, { isOwnList: false })
      const own = new Set(
        [item.description, plainText(item.detailed_information ?? ''), ...item.recommendations].flatMap(sentences),
      )
      for (const step of Object.values(steps).flat()) {
        count++
        expect([...own].some((sentence) => sentence.includes(step))).toBe(true)
      }
    }
    expect(count).toBeGreaterThanOrEqual(least)
  })

  test('a Level 4 text that says to leave gives that first', async () => {
    const { items } = await readUs(
      readFileSync('sample/us-state-2026-02-15.json'),
      context('https://travel.state.gov/'),
    )
    const afghanistan = items.find(({ title }) => title.startsWith('Afghanistan'))!
    const steps = firstStepsOf({ ...afghanistan, affected_countries: ['Afghanistan'] }, { isOwnList: false })
    expect(steps.here[0]).toBe(
      'U.S. citizens in Afghanistan are urged to depart immediately via commercial means if possible.',
    )
    expect(steps.planning[0]).toMatch(/^Do not travel to Afghanistan due to/)
  })
})
