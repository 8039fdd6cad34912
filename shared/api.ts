import type * as accounts from './accounts/endpoints.ts'
import type * as own from './accounts/own.ts'
import type * as signInChanges from './accounts/sign-in-changes.ts'
import type * as users from './accounts/users.ts'
import type * as signInMethods from './accounts/ways.ts'
import type * as managedAdvisories from './advisories/admin.ts'
import type * as managedSources from './advisories/admin-sources.ts'
import type * as advisoryAnnouncements from './advisories/announcements.ts'
import type * as advisories from './advisories/endpoints.ts'
import type * as assistantCases from './assistant/cases.ts'
import type * as assistantChat from './assistant/chat.ts'
import type * as conversations from './assistant/conversations.ts'
import type * as assistantFacts from './assistant/facts.ts'
import type * as knowledge from './assistant/knowledge.ts'
import type * as assistantPreferences from './assistant/preferences.ts'
import type * as assistantQuestions from './assistant/questions.ts'
import type * as translating from './assistant/translating.ts'
import type * as audit from './audit/endpoints.ts'
import type * as backup from './backup/endpoints.ts'
import type * as churchCare from './churches/care.ts'
import type * as chapters from './churches/chapters.ts'
import type * as church from './churches/church.ts'
import type * as churches from './churches/endpoints.ts'
import type * as localeImports from './churches/imports.ts'
import type * as managedDiscretion from './churches/managed-discretion.ts'
import type * as managedLocales from './churches/managed-list.ts'
import type * as managedLocale from './churches/managed-locale.ts'
import type * as managedPhotos from './churches/managed-photos.ts'
import type * as managedSchedules from './churches/managed-schedules.ts'
import type * as managedServants from './churches/managed-servants.ts'
import type * as places from './churches/places.ts'
import type * as publicChapters from './churches/public-chapters.ts'
import type * as churchVisitors from './churches/visitors.ts'
import type * as content from './content/endpoints.ts'
import type { Endpoint } from './contract.ts'
import type * as countries from './countries/endpoints.ts'
import type * as emergency from './emergency/endpoints.ts'
import type * as files from './files/endpoints.ts'
import type * as messages from './messages/endpoints.ts'
import type * as messageHooks from './messages/hooks.ts'
import type * as managedNotifications from './notifications/management.ts'
import type * as announcements from './notifications/notices.ts'
import type * as ownNotifications from './notifications/own.ts'
import type * as preferences from './notifications/preferences.ts'
import type * as push from './notifications/push.ts'
import type * as reminders from './notifications/reminders.ts'
import type * as sendingMessages from './notifications/sending.ts'
import type * as status from './notifications/status.ts'
import type * as subscriptions from './notifications/subscriptions.ts'
import type * as messageTemplates from './notifications/templates.ts'
import type * as tracking from './notifications/tracking.ts'
import type * as unsubscribing from './notifications/unsubscribe.ts'
import type * as overview from './overview/endpoints.ts'
import type * as rollCalls from './roll-calls/endpoints.ts'
import type * as settings from './settings/endpoints.ts'

type Keyed<M> = {
  [K in keyof M as M[K] extends { method: infer A extends string; path: infer P extends string }
    ? `${A} ${P}`
    : never]: M[K]
}

/** Every endpoint by its key: types only, so that no schema reaches the browser. */
export type EndpointTable = Keyed<typeof accounts> &
  Keyed<typeof own> &
  Keyed<typeof signInChanges> &
  Keyed<typeof signInMethods> &
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
  Keyed<typeof countries> &
  Keyed<typeof content> &
  Keyed<typeof emergency> &
  Keyed<typeof overview> &
  Keyed<typeof files> &
  Keyed<typeof messages> &
  Keyed<typeof messageHooks> &
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
