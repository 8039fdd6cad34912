/** Why a message could not be handed over, and what that says about another try. */
export class DeliveryFailure extends Error {
  /** Another try cannot go better. */
  readonly isFinal: boolean
  /** Nobody answers: the next message would meet the same. */
  readonly isPeerAway: boolean
  /** It was given away and no answer came: it may have arrived all the same. */
  readonly mayHaveArrived: boolean
  /** Not before so many seconds, as the other side asked. */
  readonly retryAfter: number | undefined
  /** The address itself is at fault: nothing more is sent to it. */
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
