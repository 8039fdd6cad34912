import type * as accounts from '#shared/accounts/endpoints.ts'
import type * as own from '#shared/accounts/own.ts'
import type * as signInChanges from '#shared/accounts/sign-in-changes.ts'
import type * as signInMethods from '#shared/accounts/sign-in-methods.ts'
import type * as userChanges from '#shared/accounts/user-changes.ts'
import type * as users from '#shared/accounts/users.ts'
import type * as managedAdvisories from '#shared/advisories/admin.ts'
import type * as managedSources from '#shared/advisories/admin-sources.ts'
import type * as advisoryAnnouncements from '#shared/advisories/announcements.ts'
import type * as advisories from '#shared/advisories/endpoints.ts'
import type * as assistantCases from '#shared/assistant/cases.ts'
import type * as assistantChat from '#shared/assistant/chat.ts'
import type * as conversations from '#shared/assistant/conversations.ts'
import type * as assistantFacts from '#shared/assistant/facts.ts'
import type * as knowledge from '#shared/assistant/knowledge.ts'
import type * as assistantPreferences from '#shared/assistant/preferences.ts'
import type * as assistantQuestions from '#shared/assistant/questions.ts'
import type * as translating from '#shared/assistant/translation.ts'
import type * as audit from '#shared/audit/endpoints.ts'
import type * as backup from '#shared/backup/endpoints.ts'
import type * as churchCare from '#shared/churches/care.ts'
import type * as chapters from '#shared/churches/chapters.ts'
import type * as church from '#shared/churches/church.ts'
import type * as churches from '#shared/churches/endpoints.ts'
import type * as localeImports from '#shared/churches/imports.ts'
import type * as managedDiscretion from '#shared/churches/managed-discretion.ts'
import type * as managedLocales from '#shared/churches/managed-list.ts'
import type * as managedLocale from '#shared/churches/managed-locale.ts'
import type * as managedPhotos from '#shared/churches/managed-photos.ts'
import type * as managedSchedules from '#shared/churches/managed-schedules.ts'
import type * as managedServants from '#shared/churches/managed-servants.ts'
import type * as places from '#shared/churches/places.ts'
import type * as publicChapters from '#shared/churches/public-chapters.ts'
import type * as churchVisitors from '#shared/churches/visitors.ts'
import type * as content from '#shared/content/endpoints.ts'
import type * as faqAdmin from '#shared/content/faq.ts'
import type * as countries from '#shared/countries/endpoints.ts'
import type * as search from '#shared/countries/search.ts'
import type * as messages from '#shared/delivery/endpoints.ts'
import type * as deliveryWebhooks from '#shared/delivery/webhooks.ts'
import type * as emergency from '#shared/emergency/endpoints.ts'
import type * as files from '#shared/files/endpoints.ts'
import type * as managedNotifications from '#shared/notifications/admin-notifications.ts'
import type * as announcements from '#shared/notifications/announcements.ts'
import type * as ownNotifications from '#shared/notifications/inbox.ts'
import type * as preferences from '#shared/notifications/preferences.ts'
import type * as push from '#shared/notifications/push-devices.ts'
import type * as reminders from '#shared/notifications/reminders.ts'
import type * as sendingMessages from '#shared/notifications/send-api.ts'
import type * as status from '#shared/notifications/status.ts'
import type * as subscriptions from '#shared/notifications/subscriptions.ts'
import type * as messageTemplates from '#shared/notifications/templates.ts'
import type * as tracking from '#shared/notifications/tracking.ts'
import type * as unsubscribing from '#shared/notifications/unsubscribe.ts'
import type * as overview from '#shared/overview/endpoints.ts'
import type * as queue from '#shared/overview/queue.ts'
import type * as pdosModules from '#shared/pdos/modules.ts'
import type * as rollCalls from '#shared/roll-calls/endpoints.ts'
import type * as settings from '#shared/settings/endpoints.ts'
import type { Endpoint } from './contract.ts'

type Keyed<M> = {
  [K in keyof M as M[K] extends { method: infer A extends string; path: infer P extends string }
    ? `${A} ${P}`
    : never]: M[K]
}

/** All endpoints by key. Types only, so that no schema reaches the browser. */
export type EndpointTable = Keyed<typeof accounts> &
  Keyed<typeof own> &
  Keyed<typeof signInChanges> &
  Keyed<typeof signInMethods> &
  Keyed<typeof userChanges> &
  Keyed<typeof users> &
  Keyed<typeof audit> &
  Keyed<typeof backup> &
  Keyed<typeof advisories> &
  Keyed<typeof managedAdvisories> &
  Keyed<typeof managedSources> &
  Keyed<typeof advisoryAnnouncements> &
  Keyed<typeof subscriptions> &
  Keyed<typeof status> &
  Keyed<typeof churches> &
  Keyed<typeof church> &
  Keyed<typeof publicChapters> &
  Keyed<typeof places> &
  Keyed<typeof churchVisitors> &
  Keyed<typeof churchCare> &
  Keyed<typeof managedLocales> &
  Keyed<typeof managedLocale> &
  Keyed<typeof managedServants> &
  Keyed<typeof managedSchedules> &
  Keyed<typeof managedPhotos> &
  Keyed<typeof managedDiscretion> &
  Keyed<typeof chapters> &
  Keyed<typeof localeImports> &
  Keyed<(typeof localeImports)['localeImports']> &
  Keyed<typeof countries> &
  Keyed<typeof search> &
  Keyed<typeof content> &
  Keyed<typeof emergency> &
  Keyed<typeof overview> &
  Keyed<typeof queue> &
  Keyed<typeof files> &
  Keyed<typeof messages> &
  Keyed<typeof deliveryWebhooks> &
  Keyed<typeof push> &
  Keyed<typeof ownNotifications> &
  Keyed<typeof preferences> &
  Keyed<typeof unsubscribing> &
  Keyed<typeof announcements> &
  Keyed<typeof sendingMessages> &
  Keyed<typeof messageTemplates> &
  Keyed<typeof tracking> &
  Keyed<typeof reminders> &
  Keyed<typeof managedNotifications> &
  Keyed<typeof rollCalls> &
  Keyed<typeof pdosModules.modules> &
  Keyed<typeof faqAdmin.faqEntries> &
  Keyed<typeof assistantChat> &
  Keyed<typeof conversations> &
  Keyed<typeof assistantPreferences> &
  Keyed<typeof assistantCases> &
  Keyed<typeof knowledge> &
  Keyed<typeof translating> &
  Keyed<typeof assistantFacts> &
  Keyed<typeof assistantQuestions> &
  Keyed<typeof settings>
export type EndpointKey = keyof EndpointTable & string
export type InputOf<K extends EndpointKey> = EndpointTable[K] extends Endpoint<infer I, unknown, unknown> ? I : never
export type OutputOf<K extends EndpointKey> = EndpointTable[K] extends Endpoint<infer _I, infer _P, infer O> ? O : never
