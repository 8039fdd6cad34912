import { AppError } from '#shared/errors.ts'

/** SQLSTATE of the triggers that refuse to tell more without a confirmation (migration 0051). */
const LOOSENING = 'MFA31'

export const isLoosening = (error: unknown): boolean => (error as { code?: string } | null)?.code === LOOSENING

/** What somebody hears who would tell more of a church by another way. */
export const looseningRefused = () =>
  new AppError(
    409,
    'discretion_loosening',
    'This would show the public more of a church than now. Nothing was saved.',
    { fields: { discreet_mode: 'To show more of this church, use “Show more to the public” on its page.' } },
  )
