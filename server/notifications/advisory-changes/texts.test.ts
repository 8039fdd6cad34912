import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCountries } from '#server/countries/reference.ts'
import {
  type AdvisoryContent,
  advisoryTexts,
  INSTRUCTION_CHARACTERS,
  SHORT_CHARACTERS,
  SNIPPET_CHARACTERS,
} from './texts.ts'

const countries = createCountries()
const niger: AdvisoryContent = {
  title: 'Niger: Do Not Travel',
  description: 'Armed groups attack roads in the north.',
  detailed_information: null,
  recommendations: [],
  original_wording: 'Level 4: Do Not Travel',
  severity_level: 'critical',
  is_urgent: false,
  affected_countries: ['Niger'],
  country_codes: ['NE'],
  source_organization: 'U.S. Department of State',
  language: 'en',
  last_updated: new Date('2026-11-21T00:00:00Z'),
  date_precision: 'day',
}
const textsFor = (more: Partial<AdvisoryContent> = {}, before: Partial<AdvisoryContent> | null = null) => {
  const previousAdvisory = before && ({ ...niger, ...before } as never)
  return advisoryTexts(
    { ...niger, ...more },
    { before: previousAdvisory, reason: before ? 'escalated' : 'new', countries },
  )
}

test('an advisory is announced in every language, with its own text attributed to the source', () => {
  expect(textsFor({}, { severity_level: 'warning' })).toEqual({
    en: {
      title: 'Niger: Do Not Travel',
      message:
        'Niger: Do Not Travel. Ask your coordinator what to do. Critical. Level raised from warning to critical. U.S. Department of State',
      news: 'Critical. Level raised from warning to critical. U.S. Department of State',
      instruction_lead: 'Niger:',
      instruction: 'Do Not Travel',
      ask: 'Ask your coordinator what to do.',
      emergency_country: 'NE',
      severity: '🔴 Critical',
      countries: 'Niger',
      reason: 'Level raised from warning to critical',
      source: 'U.S. Department of State',
      dated: 'Published November 21, 2026',
      snippet: 'Armed groups attack roads in the north.',
    },
    ar: {
      title: 'النيجر: عدم السفر',
      message:
        'النيجر: عدم السفر. يُرجى سؤال منسّقك. خطر شديد. رُفع المستوى من «تحذير» إلى «خطر شديد». U.S. Department of State',
      news: 'خطر شديد. رُفع المستوى من «تحذير» إلى «خطر شديد». U.S. Department of State',
      instruction_lead: 'النيجر:',
      instruction: 'عدم السفر',
      ask: 'يُرجى سؤال منسّقك.',
      emergency_country: 'NE',
      severity: '🔴 خطر شديد',
      countries: 'النيجر',
      reason: 'رُفع المستوى من «تحذير» إلى «خطر شديد»',
      source: 'U.S. Department of State',
      dated: 'نُشر في 21 نوفمبر 2026',
      snippet: 'نص المصدر (الإنجليزية): \u2068Armed groups attack roads in the north.\u2069',
    },
    tl: {
      title: 'Niger: huwag pumunta',
      message:
        'Niger: huwag pumunta. Itanong sa coordinator ninyo ang gagawin. Kritikal. Itinaas ang level: mula babala naging kritikal. U.S. Department of State',
      news: 'Kritikal. Itinaas ang level: mula babala naging kritikal. U.S. Department of State',
      instruction_lead: 'Niger:',
      instruction: 'huwag pumunta',
      ask: 'Itanong sa coordinator ninyo ang gagawin.',
      emergency_country: 'NE',
      severity: '🔴 Kritikal',
      countries: 'Niger',
      reason: 'Itinaas ang level: mula babala naging kritikal',
      source: 'U.S. Department of State',
      dated: 'Na-post noong Nobyembre 21, 2026',
      snippet: 'Ayon sa source (sa Ingles): Armed groups attack roads in the north.',
    },
  })
})

test('an untranslated title stays whole in its own text direction, and is attributed', () => {
  const { en, ar } = textsFor({ title: 'Reisewarnung für alle Gebiete', description: 'Nicht reisen.', language: 'de' })
  expect(ar.title).toBe('\u2068Reisewarnung für alle Gebiete\u2069')
  expect(en.title).toBe('Reisewarnung für alle Gebiete')
  expect(en.snippet).toBe('Source text (in German): Nicht reisen.')
})

test('states the reason: now urgent, a further country, worldwide, many countries', () => {
  expect(textsFor({ is_urgent: true }, {}).en.news).toMatch(/^Urgent, critical\. Now urgent\. /)
  const two = { country_codes: ['NE', 'ML'], affected_countries: ['Niger', 'Mali'] }
  expect(textsFor(two, {}).en.reason).toBe('Now also covers Mali')
  expect(textsFor({ country_codes: [], affected_countries: [] }).ar.countries).toBe('العالم كله')
  const codes = ['NE', 'ML', 'PE', 'BO', 'JP', 'FJ', 'PH']
  const names = codes.map((code) => countries.nameOf(code))
  expect(textsFor({ country_codes: codes, affected_countries: names }).en.countries).toBe(
    'Niger, Mali, Peru, Bolivia, and 3 more',
  )
})

test('the short form has at most 100 characters and the snippet 500, whatever the source publishes', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 900 })
  fc.assert(
    fc.property(text, text, fc.constantFrom('en', 'de', 'ar', 'fr'), (wording, organization, language) => {
      const texts = textsFor({ title: wording, description: wording, source_organization: organization, language })
      for (const { message, news, snippet } of Object.values(texts)) {
        expect([...news!].length).toBeLessThanOrEqual(SHORT_CHARACTERS)
        expect([...message].length).toBeLessThanOrEqual(INSTRUCTION_CHARACTERS + 1 + SHORT_CHARACTERS)
        expect([...snippet!].length).toBeLessThanOrEqual(SNIPPET_CHARACTERS)
      }
    }),
  )
})

test('an order to leave is quoted alone, though its block has no full stop', () => {
  const texts = textsFor({
    detailed_information:
      '<ul><li>Niger citizens should leave Niger immediately</li><li>The embassy has limited staff.</li></ul>',
  })
  expect(texts.en.message).toMatch(/^Niger citizens should leave Niger immediately\. Critical\. /)
  expect(texts.ar.message).toMatch(
    /^النيجر: المصدر يدعو إلى المغادرة الآن \(بالإنجليزية\): \u2068Niger citizens should leave Niger immediately\.\u2069 /,
  )
})

test('a changed instruction shows only the new one, and other text changes keep the instruction', () => {
  const before = { ...niger, recommendations: ['Stay at home.', 'Keep water.'] }
  const changed = (more: Partial<AdvisoryContent>) =>
    advisoryTexts({ ...before, ...more }, { before: before as never, reason: 'instruction_changed', countries }).en
  expect(changed({ recommendations: ['Stay at home.', 'Go to the shelter.'] }).instruction).toBe('Go to the shelter.')
  expect(changed({ detailed_information: '<p>Roads are closed.</p>' }).instruction).toBe('Do Not Travel')
})
