import type { SettingsModel } from '#server/settings/settings.ts'
import { isCoordinator, type Role } from '#shared/roles.ts'

/** Those who answer for others sign in with two steps, by whatever way they came. */
export const needsSecondFactor = (role: Role, settings: SettingsModel): boolean =>
  isCoordinator(role) && settings.get('accounts.second_factor_for_coordinators')
