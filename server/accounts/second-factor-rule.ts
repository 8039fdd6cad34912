import type { SettingsModel } from '#server/settings/settings.ts'
import { isCoordinator, type Role } from '#shared/roles.ts'

/** Roles with responsibility for others sign in with two steps, whatever the first was. */
export const needsSecondFactor = (role: Role, settings: SettingsModel): boolean =>
  isCoordinator(role) && settings.get('accounts.second_factor_for_coordinators')
