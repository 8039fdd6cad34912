import type { Router } from '#server/http/router.ts'
import { getSite } from '#shared/settings/endpoints.ts'
import type { SettingsModel } from './settings.ts'

/** What every page needs to know about this installation. */
export function registerSettings(
  router: Router,
  deps: { settings: SettingsModel; publicUrl: string; hasSampleContent: boolean; hasOpenOutbox: boolean },
) {
  const tiles = () => {
    const url = deps.settings.get('locator.tiles_url')
    return url ? { url, attribution: deps.settings.get('locator.tiles_attribution') } : null
  }
  router.serve(getSite, () => ({
    brand: deps.settings.get('brand'),
    support_email: deps.settings.get('support_email'),
    all_advisories_url: deps.settings.get('all_advisories_url'),
    time_zone: deps.settings.get('time_zone'),
    tiles: tiles(),
    call_first_after_days: deps.settings.get('locales.call_first_after_days'),
    public_url: deps.publicUrl,
    has_sample_content: deps.hasSampleContent,
    has_open_outbox: deps.hasOpenOutbox,
  }))
}
