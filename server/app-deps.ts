import type { Pause } from '#server/accounts/sign-ins/attempts.ts'
import type { FeedDeps } from '#server/advisories/feeds/deps.ts'
import type { AssistantOptions } from '#server/assistant/deps.ts'
import type { Database } from '#server/db/connection.ts'
import type { HookProviders } from '#server/delivery/webhooks/endpoints.ts'
import type { Store } from '#server/files/store.ts'
import type { loadAssets } from '#server/http/assets.ts'
import type { Health } from '#server/http/health.ts'
import type { PageBuild } from '#server/http/pages.ts'
import type { ReadSession } from '#server/http/session.ts'
import type { Queue } from '#server/jobs/queue.ts'
import type { Senders } from '#server/notifications/admin/send-api/extras.ts'
import type { MessageChannel } from '#shared/delivery/kinds.ts'
import type { Settings } from './env.ts'
import type { Log } from './log.ts'

/** What the portal is assembled from; everything that varies. */
export interface AppDeps {
  database: Database
  log: Log
  mode: 'development' | 'production' | 'test'
  publicUrl: string
  /** Built pages; absent when only the API is served. */
  pages?: () => PageBuild | Promise<PageBuild>
  assets?: Awaited<ReturnType<typeof loadAssets>>
  /** Replaces the portal's own session reader in tests. */
  readSession?: ReadSession
  /** Signs cookies; at least 32 characters. */
  secret: string
  google?: Settings['google']
  hub?: Settings['hub']
  places?: Settings['places']
  model?: Settings['model']
  /** Message transports, and the settings of delivery webhooks. */
  providers?: Partial<HookProviders & Senders & Pick<Settings, 'pushKeys' | 'allowsPrivatePush'>>
  queue?: Queue
  /** Absent when the portal makes no scheduled backups. */
  backup?: Settings['backup']
  trustedProxies?: number
  now?: () => Date
  /** Replaces the wait that slows sign-ins down, for tests. */
  pause?: Pause
  hasSampleContent?: boolean
  /** Anyone on this machine may read the messages that were recorded instead of sent. */
  hasOpenOutbox?: boolean
  /** Channels without a provider. */
  unsentChannels?: MessageChannel[]
  /** Storage of file contents; absent when uploads are disabled. */
  files?: Store
  /** Dependencies of a manual feed fetch; absent when nothing may be fetched. */
  feeds?: FeedDeps
  health?: Health
  /** What the assistant may query besides the portal's records. */
  assistant?: AssistantOptions
}
