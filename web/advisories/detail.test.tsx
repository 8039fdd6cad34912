import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Advisory } from '#shared/advisories/endpoints.ts'
import { Acknowledgments } from './Acknowledgments.tsx'
import { OtherSources } from './DetailAside.tsx'
import { DetailBody } from './DetailBody.tsx'
import { AffectedAreas, Timeline } from './DetailFacts.tsx'
import { DetailHead } from './DetailHead.tsx'
import type { AdvisoryDetailData } from './detail.server.ts'
import { withLevel } from './first-steps.ts'
import { markupOf, textOf } from './markup.tsx'
import { forceRefresh } from './useRefresh.ts'
import { WhatChanged } from './WhatChanged.tsx'

const advisory = {
  id: '0b0c7f0e-8b1e-4a55-9d5e-1f2a3b4c5d6e',
  title: 'Saudi Arabia: Reconsider Travel',
  description: 'Reconsider travel to Saudi Arabia.',
  detailed_information: null,
  severity_level: 'warning',
  advisory_type: 'security',
  affected_countries: ['Saudi Arabia', 'Atlantis'],
  country_codes: ['SA'],
  unresolved_countries: ['Atlantis'],
  affected_regions: ['Yemen border'],
  affected_cities: ['Najran', 'Qatif'],
  recommendations: ['Review local laws.', 'Stay alert.'],
  source_id: 'us',
  source_organization: 'U.S. Department of State',
  source_url: 'https://source.example/sa',
  language: 'en',
  original_level: '3',
  original_wording: 'Level 3: Reconsider Travel',
  national_alert_level: null,
  effective_date: '2026-09-14T00:00:00Z',
  expiry_date: null,
  last_updated: '2026-09-14T00:00:00Z',
  date_precision: 'day',
  version: 2,
  changed_at: '2026-09-14T04:00:00Z',
  created_at: '2024-09-09T00:00:00Z',
  updated_at: '2026-09-14T04:00:00Z',
  missing_since: null,
  captured_on: null,
  pending_severity_level: null,
  pending_wording: null,
  pending_since: null,
  pending_reason: null,
  is_active: true,
  is_urgent: false,
  urgent_by_portal: false,
  auto_notify: false,
  acknowledgment_count: 0,
  last_acknowledged_at: null,
} satisfies Advisory

const version = (number: number, severity_level: 'caution' | 'warning', wording: string, day: string) => ({
  version: number,
  recorded_at: `${day}T04:00:00Z`,
  last_updated: `${day}T00:00:00Z`,
  date_precision: 'day' as const,
  severity_level,
  title: 'Saudi Arabia',
  original_wording: wording,
  description: 'Text',
  changes:
    number === 1
      ? []
      : [
          { field: 'severity_level', before: 'caution', after: 'warning' },
          { field: 'text', before: null, after: null },
        ],
})

const detailOf = (
  more: Partial<AdvisoryDetailData['advisory']> = {},
  rest: Partial<AdvisoryDetailData> = {},
): AdvisoryDetailData => ({
  title: advisory.title,
  acknowledgment: null,
  title_language: 'en',
  description: advisory.description,
  advisory: { ...advisory, ...more },
  countries: [{ code: 'SA', name: 'Saudi Arabia' }],
  languageName: '',
  firstSteps: {
    here: [{ text: 'Stay alert.', language: 'en' }],
    planning: [{ text: 'Review local laws.', language: 'en' }],
    all: [],
  },
  sections: [{ title: null, html: '<p>Do not travel to <strong>Najran</strong>.</p>' }],
  ended_at: null,
  source: null,
  versions: [
    version(2, 'warning', 'Level 3: Reconsider Travel', '2026-09-14'),
    version(1, 'caution', 'Level 2: Exercise Increased Caution', '2024-09-09'),
  ],
  related: [],
  ...rest,
})
const renderText = (element: React.ReactElement, language: 'en' | 'ar' = 'en') => textOf(markupOf(element, language))

describe('head', () => {
  test('level, title, source and wording; URGENT only where it applies (ADV-DETAIL-01, 03)', () => {
    expect(renderText(<DetailHead detail={detailOf()} heading="h2" />)).toBe(
      'WARNING Saudi Arabia: Reconsider Travel U.S. Department of State “Level 3: Reconsider Travel”',
    )
    expect(renderText(<DetailHead detail={detailOf({ is_urgent: true })} heading="h2" />)).toContain('WARNING URGENT')
  })

  test.each([
    ['emergency', true, 'emergency'],
    ['critical', true, 'critical'],
    ['warning', true, 'plain'],
    ['info', true, 'plain'],
    ['emergency', false, 'over'],
  ] as const)('%s, in force: %s, looks %s', (severity_level, is_active, look) => {
    expect(markupOf(<DetailHead detail={detailOf({ severity_level, is_active })} heading="h1" />)).toMatch(
      new RegExp(`^<header class="_?head\\S* _?${look}`),
    )
  })

  test('one that is over says since when, and is kept for the record', () => {
    const over = detailOf({ is_active: false, is_urgent: true }, { ended_at: '2026-10-03T00:00:00Z' })
    const text = renderText(<DetailHead detail={over} heading="h1" />)
    expect(text).toMatch(/^Inactive Saudi Arabia/)
    expect(text).toMatch(/Ended on 3 Oct 2026 \. Kept for the record\.$/)
  })
})

describe('what to do first', () => {
  const body = (rest: Partial<AdvisoryDetailData>, more = {}) =>
    textOf(markupOf(<DetailBody detail={detailOf(more, rest)} heading="h2" />))
  const steps = (...texts: string[]) => texts.map((text) => ({ text, language: 'en' }))
  const source = { mark: 'US', name: 'United States' } as AdvisoryDetailData['source']

  test('comes before why, apart for those there and those who plan to go, each line with its source', () => {
    const text = body({ source: { ...detailOf().source, ...source } as AdvisoryDetailData['source'] })
    expect(text).toMatch(
      /^What to do first You are in Saudi Arabia Stay alert\. Source: US You plan to go Review local laws\. Source: US Why/,
    )
  })

  test('shows four lines of each and folds the rest', () => {
    const here = steps('One.', 'Two.', 'Three.', 'Four.', 'Five.', 'Six.')
    expect(body({ firstSteps: { here, planning: [], all: [] } })).toMatch(
      /^What to do first One\. Two\. Three\. Four\. 2 more from the source Five\. Six\. Why/,
    )
  })

  test('without an instruction says so, and whom to ask', () => {
    expect(body({ firstSteps: { here: [], planning: [], all: [] } })).toMatch(
      /^What to do first The source gives no instructions\. Ask a coordinator\. Why/,
    )
  })

  test('in the most serious levels, says so for those there even if there is advice for others', () => {
    const firstSteps = { here: [], planning: steps('Do not travel.'), all: [] }
    expect(body({ firstSteps }, { severity_level: 'emergency' })).toMatch(
      /^What to do first You are in Saudi Arabia We found no instructions for people there\. Ask a coordinator\. You plan to go/,
    )
    expect(body({ firstSteps })).toMatch(/^What to do first You plan to go Do not travel\. Why/)
  })

  test('an advisory that is over tells nobody what to do', () => {
    expect(body({}, { is_active: false })).not.toContain('What to do first')
  })

  test('asks for an answer only while a roll call asks this reader', () => {
    expect(body({})).not.toContain('I am safe')
    const markup = markupOf(<DetailBody detail={detailOf({}, { rollCallId: 'r1' })} heading="h2" />)
    expect(markup).toContain('href="/dashboard/roll-calls/r1?answer=safe"')
    expect(markup).toContain('href="/dashboard/roll-calls/r1?answer=need_help"')
  })

  test('gives the number of the country, or the general one where there are several countries', () => {
    const call = { country: 'SA', name: 'Saudi Arabia', phone: '911', code: 'emergency' as const, origin: null }
    expect(body({ call })).toContain('911')
    expect(body({ call: null, countries: [] })).toContain('112')
    expect(body({})).not.toContain('112')
  })

  test.each([
    ['Level 4: Do Not Travel', 'en', { planning: ['Do Not Travel'] }],
    ['Level 2: Exercise Increased Caution', 'en', { here: ['Exercise Increased Caution'] }],
    ['Level 4: Do Not Travel', 'ar', { planning: ['مترجم'] }],
    ['FCDO advises against all travel', 'tl', { planning: ['Payo'] }],
    ['FCDO advises against all travel', 'en', { planning: ['FCDO advises against all travel'] }],
    ['No FCDO warning against travel', 'en', {}],
    ['Orange Tropical Cyclone POLO-26 in Mexico', 'en', {}],
  ] as const)('the level %s in %s', (original_wording, language, expected) => {
    const none = { here: [], planning: [], all: [] }
    const groups = withLevel(
      none,
      { original_wording, language: 'en' },
      { language, translate: () => (language === 'tl' ? 'payo' : 'مترجم') },
    )
    const texts = Object.entries(groups).map(([group, list]) => [group, list.map(({ text }) => text)])
    expect(Object.fromEntries(texts)).toEqual({ ...none, ...expected })
  })

  test('the level is not repeated where a sentence of the source begins with it', () => {
    const own = { here: [], planning: ['Do not travel to Niger for any reason.'], all: [] }
    const levelled = { original_wording: 'Level 4: Do Not Travel', language: 'en' }
    const translate = () => 'مترجم'
    expect(withLevel(own, levelled, { language: 'en', translate }).planning).toHaveLength(1)
    expect(withLevel(own, levelled, { language: 'ar', translate }).planning).toEqual([
      { text: 'مترجم', language: 'ar' },
      { text: 'Do not travel to Niger for any reason.', language: 'en' },
    ])
  })
})

describe('texts', () => {
  const body = (detail: AdvisoryDetailData, language: 'en' | 'ar' = 'en') =>
    markupOf(<DetailBody detail={detail} heading="h3" />, language)

  test('an unaccepted lower level is marked before anything else, in both languages', () => {
    const pendingDetail = detailOf({ pending_severity_level: 'info', pending_reason: 'no_text' })
    expect(textOf(body(pendingDetail))).toMatch(
      /^The source shows a lower level without a text\. We keep the old level/,
    )
    expect(textOf(body(pendingDetail, 'ar'))).toMatch(/^يعرض المصدر مستوى أدنى دون نص/)
    expect(textOf(body(detailOf({ pending_reason: 'no_text', is_active: false })))).not.toContain('lower level')
  })

  test('the source’s text is folded by its own headings (ADV-DETAIL-06..08)', () => {
    const sections = [
      { title: null, html: '<p>Before.</p>' },
      { title: 'Crime & unrest', html: '<p>Robberies.</p>' },
    ]
    const markup = body(detailOf({}, { sections }))
    expect(textOf(markup)).toContain(
      'Additional Information from the source Before. Crime & unrest Robberies. Recommendations from the source',
    )
    expect(markup).toMatch(/<ol[^>]*><li>Review local laws\.<\/li><li>Stay alert\.<\/li><\/ol>/)
    expect(markup).not.toMatch(/<details[^>]* open/)
  })

  test('changes, newest first, in both languages', () => {
    const changes = (language: 'en' | 'ar') => renderText(<WhatChanged detail={detailOf()} heading="h2" />, language)
    expect(changes('en')).toMatch(
      /^What changed CAUTION WARNING Raised to “Level 3: Reconsider Travel” 14 Sep 2026 First version we recorded/,
    )
    expect(changes('en')).toContain('All versions (2)')
    expect(changes('ar')).toContain('رُفع إلى')
    expect(renderText(<WhatChanged detail={detailOf({}, { versions: [] })} heading="h2" />)).toBe('')
  })

  test('no section without text; a type, an end and a notice only where there is one (ADV-DETAIL-02, 04)', () => {
    const text = textOf(
      body(detailOf({ recommendations: [], advisory_type: 'general', effective_date: null }, { sections: [] })),
    )
    for (const absent of ['Additional Information', 'Recommendations', 'General', 'Effective Date', 'Auto-Notify'])
      expect(text).not.toContain(absent)
    expect(textOf(body(detailOf({ auto_notify: true })))).toContain('Security Auto-Notify Timeline')
  })

  test('an expired or removed advisory says so first, and is no all-clear', () => {
    const text = textOf(body(detailOf({ is_active: false, missing_since: '2026-09-20T00:00:00Z' })))
    expect(text).toMatch(/^This advisory is no longer in force/)
    expect(text).toContain('That alone does not mean the danger is over.')
  })

  test('a translated title is shown beside the original', () => {
    const text = textOf(
      body(
        detailOf({}, { title: 'السعودية: أعد النظر في السفر', title_language: 'ar', languageName: 'الإنجليزية' }),
        'ar',
      ),
    )
    expect(text).toContain('“Saudi Arabia: Reconsider Travel”')
    expect(text).toContain('الإنجليزية')
  })
})

describe('aside', () => {
  test('timeline; Expiry Date only if set (ADV-DETAIL-10..13)', () => {
    expect(renderText(<Timeline detail={detailOf()} heading="h3" />)).toBe(
      'Timeline Effective Date 14 Sep 2026 Last Updated 14 Sep 2026 Status Active',
    )
    const ending = detailOf({
      expiry_date: '2026-10-01T12:00:00Z',
      is_urgent: true,
      effective_date: null,
      national_alert_level: 2,
    })
    expect(renderText(<Timeline detail={ending} heading="h3" />)).toContain(
      'Expiry Date 1 Oct 2026, 12:00 UTC Last Updated 14 Sep 2026 Status Active • Urgent Philippine alert level Level 2: restriction. Only workers returning to a contract may travel there.',
    )
  })

  test('countries, regions, cities, and unmatched names (ADV-DETAIL-09)', () => {
    expect(renderText(<AffectedAreas detail={detailOf()} heading="h3" />)).toBe(
      'Affected areas Country Saudi Arabia Named by the source Atlantis Regions Yemen border Major cities Najran, Qatif',
    )
  })

  test('acknowledgments only when there are any (ADV-DETAIL-15)', () => {
    expect(renderText(<Acknowledgments detail={detailOf()} heading="h3" />)).toBe('')
    const read = detailOf({ acknowledgment_count: 3, last_acknowledged_at: '2026-09-20T10:00:00Z' })
    expect(renderText(<Acknowledgments detail={read} heading="h3" />)).toBe(
      'Acknowledgments Read by 3 people. Most recently on 20 Sep 2026, 10:00 UTC',
    )
    expect(renderText(<Acknowledgments detail={read} heading="h2" />, 'ar')).toContain('3 أشخاص')
  })

  test('other sources keep their own level and wording', () => {
    const related = [
      { id: '2', severity_level: 'critical' as const, wording: 'Reisewarnung', language: 'de', sourceName: 'Germany' },
    ]
    expect(renderText(<OtherSources detail={detailOf({}, { related })} heading="h2" />)).toBe(
      'Other sources on Saudi Arabia CRITICAL Germany “Reisewarnung” Compare them side by side',
    )
  })
})

describe('forced refresh (ADV-FEEDS-03)', () => {
  const fetched = vi.fn<() => Promise<Response>>()
  beforeEach(async () => {
    // The transport module is loaded with the first call, in real time.
    await import('#web/lib/transport.ts')
    vi.useFakeTimers()
    vi.stubGlobal('fetch', fetched)
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  test('the list is read again one second after the request', async () => {
    fetched.mockImplementation(async () => Response.json({ success: true }))
    const reload = vi.fn(async () => {})
    const done = forceRefresh(reload)
    await vi.advanceTimersByTimeAsync(999)
    expect(reload).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await done
    expect(reload).toHaveBeenCalledTimes(1)
  })

  test('an error is reported and nothing is read', async () => {
    fetched.mockImplementation(async () => Response.json({ success: false, error: 'Too many' }, { status: 429 }))
    const reload = vi.fn(async () => {})
    await expect(forceRefresh(reload)).rejects.toThrow('Too many')
    expect(reload).not.toHaveBeenCalled()
  })
})
