import type { Router } from '#server/http/router.ts'
import { getSite } from '#shared/settings/endpoints.ts'
import type { SettingsModel } from './settings.ts'

/** What every page needs to know about this installation. */
export function registerSettings(
  router: Router,
  deps: { registerSettings: SettingsModel; publicUrl: string; hasSampleContent: boolean; hasOpenOutbox: boolean },
) {
  const tiles = () => {
    const url = deps.registerSettings.get('locator.tiles_url')
    return url ? { url, attribution: deps.registerSettings.get('locator.tiles_attribution') } : null
  }
  router.serve(getSite, () => ({
    brand: deps.registerSettings.get('brand'),
    support_email: deps.registerSettings.get('support_email'),
    all_advisories_url: deps.registerSettings.get('all_advisories_url'),
    time_zone: deps.registerSettings.get('time_zone'),
    tiles: tiles(),
    call_first_after_days: deps.registerSettings.get('locales.call_first_after_days'),
    public_url: deps.publicUrl,
    has_sample_content: deps.hasSampleContent,
    has_open_outbox: deps.hasOpenOutbox,
  }))
}
