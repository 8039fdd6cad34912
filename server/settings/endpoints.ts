import { getSite } from '#shared/settings/endpoints.ts'
import type { Door } from '../http/door.ts'
import type { SettingsModel } from './settings.ts'

/** What every page needs to know of this installation. */
export function settings(
  door: Door,
  parts: { settings: SettingsModel; publicUrl: string; hasSampleContent: boolean; hasOpenOutbox: boolean },
) {
  const tiles = () => {
    const url = parts.settings.get('locator.tiles_url')
    return url ? { url, attribution: parts.settings.get('locator.tiles_attribution') } : null
  }
  door.serve(getSite, () => ({
    brand: parts.settings.get('brand'),
    support_email: parts.settings.get('support_email'),
    all_advisories_url: parts.settings.get('all_advisories_url'),
    time_zone: parts.settings.get('time_zone'),
    tiles: tiles(),
    call_first_after_days: parts.settings.get('locales.call_first_after_days'),
    public_url: parts.publicUrl,
    has_sample_content: parts.hasSampleContent,
    has_open_outbox: parts.hasOpenOutbox,
  }))
}
