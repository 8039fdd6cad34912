import { isCoordinator, type Role } from '#shared/roles.ts'
import type { SettingsModel } from '../settings/settings.ts'

/** Those who answer for others sign in with two steps, by whatever way they came. */
export const needsSecondFactor = (role: Role, settings: SettingsModel): boolean =>
  isCoordinator(role) && settings.get('accounts.second_factor_for_coordinators')
