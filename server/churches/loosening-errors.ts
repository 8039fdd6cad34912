import { AppError } from '#shared/errors.ts'

/** SQLSTATE of the triggers that reject showing more without a confirmation (0012_public_churches.sql). */
const LOOSENING = 'MFA31'

export const isLoosening = (error: unknown): boolean => (error as { code?: string } | null)?.code === LOOSENING

/** Error for any other attempt to show more of a church. */
export const looseningError = () =>
  new AppError(
    409,
    'discretion_loosening',
    'This would show the public more about a church than now. Nothing was saved.',
    { fields: { discreet_mode: 'To show more about this church, use “Show more to the public” on its page.' } },
  )
