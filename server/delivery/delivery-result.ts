/** Why a message could not be sent, and what that implies for retries. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
  /** Retrying is pointless. */
  readonly isFinal: boolean
  /** The provider is unreachable: the next message would fail the same way. */
  readonly isPeerAway: boolean
  /** The message was transmitted but not acknowledged; it may have arrived. */
  readonly mayHaveArrived: boolean
  /** Earliest retry in seconds, as requested by the provider. */
  readonly retryAfter: number | undefined
  /** The address itself is at fault: suppress further messages to it. */
  readonly suppression: 'bounced' | 'invalid' | 'opted_out' | undefined
  readonly provider: string | undefined

  constructor(
    reason: string,
    more: {
      isFinal?: boolean
      isPeerAway?: boolean
      mayHaveArrived?: boolean | undefined
      retryAfter?: number | undefined
      suppression?: 'bounced' | 'invalid' | 'opted_out' | undefined
      provider?: string | undefined
    } = {},
  ) {
    super(reason)
    this.isFinal = more.isFinal ?? false
    this.isPeerAway = more.isPeerAway ?? false
    this.mayHaveArrived = more.mayHaveArrived ?? false
    this.retryAfter = more.retryAfter
    this.suppression = more.suppression
    this.provider = more.provider
  }
}

/** 'recorded': not sent, only shown in the outbox. 'delivered': delivery is confirmed. */
export type DeliveryResult =
  | { status: 'sent' | 'delivered'; provider: string; providerMessageId: string }
  | { status: 'recorded' }
  | DeliveryError

/** Result of a message that is not sent now. */
export type SkipResult =
  | { status: 'dropped'; reason: string }
  /** Deferred without an attempt. */
  | { status: 'later'; at: Date; reason: string }
