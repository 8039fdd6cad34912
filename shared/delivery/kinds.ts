/** Notification channels. In-app and browser reach an open page; the others leave the portal. */
export const CHANNELS = ['in-app', 'browser', 'email', 'sms', 'push', 'whatsapp'] as const
export type Channel = (typeof CHANNELS)[number]
/** Channels that leave the portal; each message is a row of the outbox. */
export const MESSAGE_CHANNELS = ['email', 'sms', 'push', 'whatsapp'] as const
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number]

/** Kinds with user preferences. Account messages, such as codes and links, are always sent. */
export const KINDS = ['advisory', 'announcement', 'roll_call', 'reminder'] as const
export type Kind = (typeof KINDS)[number]

export const PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const
export type Priority = (typeof PRIORITIES)[number]

/** Lower values are sent first, so that no newsletter delays an emergency. */
export const QUEUE_PRIORITY = { urgent: 0, normal: 1, bulk: 2 } as const
export const queuePriorityOf = (priority: Priority): number =>
  priority === 'urgent' ? QUEUE_PRIORITY.urgent : priority === 'low' ? QUEUE_PRIORITY.bulk : QUEUE_PRIORITY.normal

/** Why subscribers are notified of an advisory again. Fetching a feed alone is never a reason. */
export const ADVISORY_REASONS = ['new', 'escalated', 'instruction_changed', 'withdrawn', 'manual'] as const
export type AdvisoryReason = (typeof ADVISORY_REASONS)[number]

export const DIGESTS = ['at_once', 'daily', 'weekly'] as const
export type Digest = (typeof DIGESTS)[number]
