import { registerAccounts } from '#server/accounts/module.ts'
import { registerAdvisoriesAdmin } from '#server/advisories/admin/endpoints.ts'
import { registerAdvisories } from '#server/advisories/endpoints.ts'
import { registerFeedFetching } from '#server/advisories/fetch-endpoints.ts'
import { registerAssistant } from '#server/assistant/module.ts'
import { registerAudit } from '#server/audit/endpoints.ts'
import { registerBackups } from '#server/backup/endpoints.ts'
import { registerChurches } from '#server/churches/module.ts'
import { registerContent } from '#server/content/endpoints.ts'
import { registerCountries } from '#server/countries/endpoints.ts'
import { messages } from '#server/delivery/endpoints.ts'
import { deliveryWebhooks } from '#server/delivery/webhooks/endpoints.ts'
import { firstNumberOf } from '#server/emergency/emergency.ts'
import { registerEmergency } from '#server/emergency/endpoints.ts'
import { registerFiles } from '#server/files/endpoints.ts'
import type { Router } from '#server/http/router.ts'
import { announcementEndpoints } from '#server/notifications/admin/announcements/endpoints.ts'
import { managementEndpoints } from '#server/notifications/admin/send-api/endpoints.ts'
import { templateEndpoints } from '#server/notifications/admin/templates/endpoints.ts'
import { status } from '#server/notifications/delivery-monitor/status.ts'
import { personalNotifications } from '#server/notifications/endpoints.ts'
import { ownBrowsers } from '#server/notifications/push-devices/endpoints.ts'
import { reminderEndpoints } from '#server/notifications/reminders/endpoints.ts'
import { subscriptions } from '#server/notifications/subscriptions/endpoints.ts'
import { registerOverview } from '#server/overview/endpoints.ts'
import { registerPdosModules } from '#server/pdos/modules.ts'
import { rollCalls } from '#server/roll-calls/endpoints.ts'
import { createTextInbox } from '#server/roll-calls/texts/text-inbox.ts'
import { registerSettingsAdmin } from '#server/settings/admin-endpoints.ts'
import { registerSettings } from '#server/settings/endpoints.ts'
import type { AppDeps } from './app-deps.ts'
import type { Models } from './models.ts'

/** Used when no provider is configured: nobody is notified. */
const NO_PROVIDERS = {
  sms: [],
  whatsapp: undefined,
  mailHookToken: undefined,
  mailFrom: '',
  mailSenders: [],
  pushKeys: undefined,
  allowsPrivatePush: false,
}

type ModuleDeps = AppDeps & { now: () => Date }

/** Registers the endpoints of every module; returns the session reader and the assistant. */
export function registerModules(router: Router, models: Models, deps: ModuleDeps) {
  const { database, log, publicUrl, secret, hasOpenOutbox = false } = deps
  const { readModel } = models
  const { countries: countriesOf } = models.countries
  const providers = { ...NO_PROVIDERS, ...deps.providers }

  registerFoundation(router, models, deps)
  registerMessaging(router, models, deps, (text, at) => assistant.interpret(text, at))
  registerPdosModules(router)
  registerTravelAdvice(router, models, deps)

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
    // Recorded codes are only readable by their recipient on this machine.
    hasPhoneCodes: providers.sms.length > 0 || hasOpenOutbox,
    ...(deps.pause ? { pause: deps.pause } : {}),
    readSession: deps.readSession,
    ...(deps.files ? { files: deps.files } : {}),
  })
  return { readSession, assistant }
}

/** Settings, audit log, backups, overview, content and files. */
function registerFoundation(router: Router, models: Models, deps: ModuleDeps): void {
  const { log, publicUrl, secret, now, hasSampleContent = false, hasOpenOutbox = false, unsentChannels = [] } = deps
  const { readModel } = models
  const brand = () => models.settings.get('brand')
  registerSettings(router, { settings: models.settings, publicUrl, hasSampleContent, hasOpenOutbox })
  const organizations = () => [...new Set(models.advisories.sources(now()).map((source) => source.organization))].sort()
  registerSettingsAdmin(router, { publicUrl, brand, readModel, organizations, unsentChannels })
  registerAudit(router)
  registerBackups(router, { backup: deps.backup, queue: deps.queue })
  registerOverview(router, { advisories: models.advisories, settings: models.settings, backup: deps.backup })
  registerContent(router, models.faq, readModel)
  if (deps.files) registerFiles(router, { store: deps.files, secret, publicUrl, log })
}

/** Delivery, notifications and roll calls. `interpret` takes a text message that is no answer to a roll call. */
function registerMessaging(
  router: Router,
  models: Models,
  deps: ModuleDeps,
  interpret: Parameters<typeof createTextInbox>[0]['interpret'],
): void {
  const { database, log, publicUrl, secret, hasOpenOutbox = false, unsentChannels = [] } = deps
  const { readModel } = models
  const { countries: countriesOf } = models.countries
  const providers = { ...NO_PROVIDERS, ...deps.providers }
  const brand = () => models.settings.get('brand')
  messages(router, { hasOpenOutbox, publicUrl, brand, timeZone: () => models.settings.get('time_zone') })
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
    interpret,
    emergencyNumber: (country, at) => firstNumberOf(models.facts, country, at)?.phone ?? null,
  })
  deliveryWebhooks(router, { publicUrl, providers, receiveText })
  ownBrowsers(router, { database, pushKeys: providers.pushKeys, allowsPrivate: providers.allowsPrivatePush })
  status(router, { model: models.advisories, unsentChannels })
  subscriptions(router, { countries: countriesOf })
  rollCalls(router, { secret })
}

/** Advisories, countries and the emergency pages. */
function registerTravelAdvice(router: Router, models: Models, deps: ModuleDeps): void {
  const { database, secret } = deps
  const { readModel } = models
  const { countries: countriesOf } = models.countries
  registerAdvisories(router, {
    database,
    model: models.advisories,
    readModel,
    settings: models.settings,
    countries: countriesOf,
  })
  registerAdvisoriesAdmin(router, {
    model: models.advisories,
    readModel,
    countries: countriesOf,
    feeds: deps.feeds,
    secret,
  })
  if (deps.feeds) registerFeedFetching(router, { feeds: deps.feeds, model: models.advisories, readModel })
  registerCountries(router, { countries: countriesOf, advisories: models.advisories })
  registerEmergency(router, { facts: models.facts, settings: models.settings, countries: countriesOf })
}
