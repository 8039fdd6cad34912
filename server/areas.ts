import { accountArea } from './accounts/area.ts'
import { managedAdvisories } from './advisories/admin/endpoints.ts'
import { advisories } from './advisories/endpoints.ts'
import { feedFetching } from './advisories/fetch-endpoints.ts'
import type { AppParts } from './app.ts'
import { assistantArea } from './assistant/area.ts'
import { auditing } from './audit/endpoints.ts'
import { registerBackups } from './backup/endpoints.ts'
import { churchArea } from './churches/area.ts'
import { content } from './content/endpoints.ts'
import { countries } from './countries/endpoints.ts'
import { firstNumberOf } from './emergency/emergency.ts'
import { registerEmergency } from './emergency/endpoints.ts'
import { files } from './files/endpoints.ts'
import type { Door } from './http/door.ts'
import { messages } from './messages/endpoints.ts'
import { messageHooks } from './messages/hooks/hooks.ts'
import type { Models } from './models.ts'
import { personalNotifications } from './notifications/area.ts'
import { ownBrowsers } from './notifications/browsers.ts'
import { noticeEndpoints } from './notifications/compose/endpoints.ts'
import { managementEndpoints } from './notifications/management/endpoints.ts'
import { reminderEndpoints } from './notifications/reminders/endpoints.ts'
import { status } from './notifications/status.ts'
import { subscriptions } from './notifications/subscription-endpoints.ts'
import { templateEndpoints } from './notifications/templates/endpoints.ts'
import { overview } from './overview/endpoints.ts'
import { rollCalls } from './roll-calls/endpoints.ts'
import { createTextInbox } from './roll-calls/texts/inbound.ts'
import { settingsAdmin } from './settings/admin-endpoints.ts'
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
export function openAreas(door: Door, models: Models, parts: AppParts & { now: () => Date }) {
  const { database, log, publicUrl, secret, now } = parts
  const { readModel } = models
  const { countries: countriesOf } = models.countries
  const providers = { ...NO_PROVIDERS, ...parts.providers }
  const { hasSampleContent = false, hasOpenOutbox = false, unsentChannels = [] } = parts
  const brand = () => models.settings.get('brand')

  settings(door, { settings: models.settings, publicUrl, hasSampleContent, hasOpenOutbox })
  const organizations = () => [...new Set(models.advisories.sources(now()).map((source) => source.organization))].sort()
  settingsAdmin(door, { publicUrl, brand, readModel, organizations, unsentChannels })
  auditing(door)
  registerBackups(door, { backup: parts.backup, queue: parts.queue })
  overview(door, { advisories: models.advisories, settings: models.settings, backup: parts.backup })
  content(door, models.faq)
  if (parts.files) files(door, { store: parts.files, secret, publicUrl, log })

  messages(door, { hasOpenOutbox, publicUrl, brand })
  reminderEndpoints(door)
  managementEndpoints(door, {
    settings: models.settings,
    countries: countriesOf,
    publicUrl,
    log,
    senders: providers,
  })
  templateEndpoints(door, { settings: models.settings, publicUrl, readModel })
  noticeEndpoints(door, { settings: models.settings, countries: countriesOf, publicUrl })
  personalNotifications(door, {
    timeZone: () => models.settings.get('time_zone'),
    secret,
  })
  const receiveText = createTextInbox({
    publicUrl,
    log,
    hear: (text, at) => assistant.hear(text, at),
    emergencyNumber: (country, at) => firstNumberOf(models.facts, country, at)?.phone ?? null,
  })
  messageHooks(door, { publicUrl, providers, receiveText })
  ownBrowsers(door, { database, pushKeys: providers.pushKeys, allowsPrivate: providers.allowsPrivatePush })
  status(door, { model: models.advisories, unsentChannels })
  subscriptions(door, { countries: countriesOf })
  rollCalls(door, { secret })

  advisories(door, {
    database,
    model: models.advisories,
    readModel,
    settings: models.settings,
    countries: countriesOf,
  })
  managedAdvisories(door, {
    model: models.advisories,
    readModel,
    countries: countriesOf,
    feeds: parts.feeds,
    secret,
  })
  if (parts.feeds) feedFetching(door, { feeds: parts.feeds, model: models.advisories, readModel })
  countries(door, { countries: countriesOf, advisories: models.advisories })
  registerEmergency(door, { facts: models.facts, settings: models.settings, countries: countriesOf })

  churchArea(door, {
    model: models.churches,
    database,
    countries: countriesOf,
    settings: models.settings,
    readModel,
    publicUrl,
    secret,
    log,
    ...(parts.queue ? { queue: parts.queue } : {}),
    ...(parts.files ? { files: parts.files } : {}),
    ...(parts.places ? { places: parts.places } : {}),
  })

  const assistant = assistantArea(door, {
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
    model: parts.model,
    publicUrl,
    allowsPrivate: parts.feeds?.allowsPrivateFeeds ?? false,
    ...parts.assistant,
  })

  const readSession = accountArea(door, {
    database,
    log,
    publicUrl,
    secret,
    settings: models.settings,
    countries: countriesOf,
    google: parts.google,
    hub: parts.hub,
    // Only at this machine are recorded codes read by the person they are for.
    hasPhoneCodes: providers.sms.length > 0 || hasOpenOutbox,
    ...(parts.pause ? { pause: parts.pause } : {}),
    readSession: parts.readSession,
    ...(parts.files ? { files: parts.files } : {}),
  })
  return { readSession, assistant }
}
