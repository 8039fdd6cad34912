import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Advisory } from '#shared/advisories/endpoints.ts'
import { Acknowledgments } from './Acknowledgments.tsx'
import { AffectedAreas, OtherSources, Timeline } from './DetailAside.tsx'
import { DetailBody } from './DetailBody.tsx'
import { DetailHead } from './DetailHead.tsx'
import type { AdvisoryDetailData } from './detail.server.ts'
import { markupOf, textOf } from './markup.tsx'
import { forceRefresh } from './useRefresh.ts'

const advisory: Advisory = {
  id: '0b0c7f0e-8b1e-4a55-9d5e-1f2a3b4c5d6e',
  title: 'Saudi Arabia: Reconsider Travel',
  description: 'Reconsider travel to Saudi Arabia.',
  detailed_information: '<p>Do not travel to <b>Najran</b>.</p>',
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
}

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

const detailOf = (more: Partial<Advisory> = {}, rest: Partial<AdvisoryDetailData> = {}): AdvisoryDetailData => ({
  title: advisory.title,
  acknowledgment: null,
  title_language: 'en',
  description: advisory.description,
  advisory: { ...advisory, ...more },
  countries: [{ code: 'SA', name: 'Saudi Arabia' }],
  languageName: '',
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
  test('level, kind, title, source; URGENT and Auto-Notify only where they apply (ADV-DETAIL-01..04)', () => {
    expect(renderText(<DetailHead detail={detailOf()} heading="h2" />)).toBe(
      'WARNING Security Saudi Arabia: Reconsider Travel U.S. Department of State',
    )
    const both = renderText(<DetailHead detail={detailOf({ is_urgent: true, auto_notify: true })} heading="h2" />)
    expect(both).toContain('WARNING URGENT Security Auto-Notify')
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

  test('before and now, labelled in words (ADV-DETAIL-06..08)', () => {
    const text = textOf(body(detailOf()))
    expect(text).toContain('Before, 9 Sep 2024 CAUTION “Level 2: Exercise Increased Caution”')
    expect(text).toContain('Now, since 14 Sep 2026 WARNING “Level 3: Reconsider Travel”')
    expect(text).toContain('The level was raised by one step.')
    expect(text).toContain('Additional Information Do not travel to Najran .')
    expect(body(detailOf())).toMatch(/<ol[^>]*><li>Review local laws\.<\/li><li>Stay alert\.<\/li><\/ol>/)
    expect(textOf(body(detailOf(), 'ar'))).toContain('رُفع المستوى درجة واحدة.')
  })

  test('no changes if only one version was seen, no section without text', () => {
    const text = textOf(
      body(detailOf({ detailed_information: null, recommendations: [] }, { versions: detailOf().versions.slice(1) })),
    )
    expect(text).not.toContain('What changed')
    expect(text).not.toContain('Additional Information')
    expect(text).not.toContain('Recommendations')
    expect(text).toContain('All versions (1)')
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
    expect(renderText(<Timeline detail={detailOf()} heading="h2" />)).toBe(
      'Timeline Effective Date 14 Sep 2026 Last Updated 14 Sep 2026 Status Active',
    )
    const ending = detailOf({
      expiry_date: '2026-10-01T12:00:00Z',
      is_urgent: true,
      effective_date: null,
      national_alert_level: 2,
    })
    expect(renderText(<Timeline detail={ending} heading="h2" />)).toContain(
      'Effective Date not given Expiry Date 1 Oct 2026, 12:00 UTC Last Updated 14 Sep 2026 Status Active • Urgent Philippine alert level Level 2: restriction. Only workers returning to a contract may travel there.',
    )
  })

  test('countries, regions, cities, and unmatched names (ADV-DETAIL-09)', () => {
    expect(renderText(<AffectedAreas detail={detailOf()} heading="h2" />)).toBe(
      'Affected areas Country Saudi Arabia Named by the source Atlantis Regions Yemen border Major cities Najran, Qatif',
    )
  })

  test('acknowledgments only when there are any (ADV-DETAIL-15)', () => {
    expect(renderText(<Acknowledgments detail={detailOf()} heading="h2" />)).toBe('')
    const read = detailOf({ acknowledgment_count: 3, last_acknowledged_at: '2026-09-20T10:00:00Z' })
    expect(renderText(<Acknowledgments detail={read} heading="h2" />)).toBe(
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
