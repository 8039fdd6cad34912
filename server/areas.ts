import { registerAccounts } from './accounts/area.ts'
import { managedAdvisories } from './advisories/admin/endpoints.ts'
import { advisories } from './advisories/endpoints.ts'
import { feedFetching } from './advisories/fetch-endpoints.ts'
import type { AppDeps } from './app.ts'
import { registerAssistant } from './assistant/area.ts'
import { registerAudit } from './audit/endpoints.ts'
import { registerBackups } from './backup/endpoints.ts'
import { registerChurches } from './churches/area.ts'
import { registerContent } from './content/endpoints.ts'
import { countries } from './countries/endpoints.ts'
import { firstNumberOf } from './emergency/emergency.ts'
import { registerEmergency } from './emergency/endpoints.ts'
import { files } from './files/endpoints.ts'
import type { Router } from './http/door.ts'
import { messages } from './messages/endpoints.ts'
import { messageHooks } from './messages/hooks/hooks.ts'
import type { Models } from './models.ts'
import { personalNotifications } from './notifications/area.ts'
import { ownBrowsers } from './notifications/browsers.ts'
import { announcementEndpoints } from './notifications/compose/endpoints.ts'
import { managementEndpoints } from './notifications/management/endpoints.ts'
import { reminderEndpoints } from './notifications/reminders/endpoints.ts'
import { status } from './notifications/status.ts'
import { subscriptions } from './notifications/subscription-endpoints.ts'
import { templateEndpoints } from './notifications/templates/endpoints.ts'
import { overview } from './overview/endpoints.ts'
import { rollCalls } from './roll-calls/endpoints.ts'
import { createTextInbox } from './roll-calls/texts/inbound.ts'
import { registerSettingsAdmin } from './settings/admin-endpoints.ts'
import { settings } from './settings/endpoints.ts'

/** Nobody tells anything where nobody is set up. */
const NO_PROVIDERS = {
  sms: [],
  whatsapp: undefined,
  mailHookToken: undefined,
  mailFrom: '',
  mailSenders: [],
  pushKeys: undefined,
  allowsPrivatePush: false,
}

/** Puts the endpoints of every capability on the door; gives how a request tells who sent it, and the assistant. */
export function registerModules(router: Router, models: Models, deps: AppDeps & { now: () => Date }) {
  const { database, log, publicUrl, secret, now } = deps
  const { readModel } = models
  const { countries: countriesOf } = models.countries
  const providers = { ...NO_PROVIDERS, ...deps.providers }
  const { hasSampleContent = false, hasOpenOutbox = false, unsentChannels = [] } = deps
  const brand = () => models.settings.get('brand')

  settings(router, { settings: models.settings, publicUrl, hasSampleContent, hasOpenOutbox })
  const organizations = () => [...new Set(models.advisories.sources(now()).map((source) => source.organization))].sort()
  registerSettingsAdmin(router, { publicUrl, brand, readModel, organizations, unsentChannels })
  registerAudit(router)
  registerBackups(router, { backup: deps.backup, queue: deps.queue })
  overview(router, { advisories: models.advisories, settings: models.settings, backup: deps.backup })
  registerContent(router, models.faq)
  if (deps.files) files(router, { store: deps.files, secret, publicUrl, log })

  messages(router, { hasOpenOutbox, publicUrl, brand })
  reminderEndpoints(router)
  managementEndpoints(router, {
    settings: models.settings,
    countries: countriesOf,
    publicUrl,
    log,
    senders: providers,
  })
  templateEndpoints(router, { settings: models.settings, publicUrl, readModel })
  announcementEndpoints(router, { settings: models.settings, countries: countriesOf, publicUrl })
  personalNotifications(router, {
    timeZone: () => models.settings.get('time_zone'),
    secret,
  })
  const receiveText = createTextInbox({
    publicUrl,
    log,
    hear: (text, at) => assistant.hear(text, at),
    emergencyNumber: (country, at) => firstNumberOf(models.facts, country, at)?.phone ?? null,
  })
  messageHooks(router, { publicUrl, providers, receiveText })
  ownBrowsers(router, { database, pushKeys: providers.pushKeys, allowsPrivate: providers.allowsPrivatePush })
  status(router, { model: models.advisories, unsentChannels })
  subscriptions(router, { countries: countriesOf })
  rollCalls(router, { secret })

  advisories(router, {
    database,
    model: models.advisories,
    readModel,
    settings: models.settings,
    countries: countriesOf,
  })
  managedAdvisories(router, {
    model: models.advisories,
    readModel,
    countries: countriesOf,
    feeds: deps.feeds,
    secret,
  })
  if (deps.feeds) feedFetching(router, { feeds: deps.feeds, model: models.advisories, readModel })
  countries(router, { countries: countriesOf, advisories: models.advisories })
  registerEmergency(router, { facts: models.facts, settings: models.settings, countries: countriesOf })

  registerChurches(router, {
    model: models.churches,
    database,
    countries: countriesOf,
    settings: models.settings,
    readModel,
    publicUrl,
    secret,
    log,
    ...(deps.queue ? { queue: deps.queue } : {}),
    ...(deps.files ? { files: deps.files } : {}),
    ...(deps.places ? { places: deps.places } : {}),
  })

  const assistant = registerAssistant(router, {
    database,
    log,
    readModel,
    settings: models.settings,
    advisories: models.advisories,
    churches: models.churches,
    countries: countriesOf,
    faq: models.faq,
    facts: models.facts,
    names: models.knownNames,
    model: deps.model,
    publicUrl,
    allowsPrivate: deps.feeds?.allowsPrivateFeeds ?? false,
    ...deps.assistant,
  })

  const readSession = registerAccounts(router, {
    database,
    log,
    publicUrl,
    secret,
    settings: models.settings,
    countries: countriesOf,
    google: deps.google,
    hub: deps.hub,
    // Only at this machine are recorded codes read by the person they are for.
    hasPhoneCodes: providers.sms.length > 0 || hasOpenOutbox,
    ...(deps.pause ? { pause: deps.pause } : {}),
    readSession: deps.readSession,
    ...(deps.files ? { files: deps.files } : {}),
  })
  return { readSession, assistant }
}
