import { useRouteLoaderData } from 'react-router'
import type { Language } from '#shared/language.ts'
import type { getSite } from '#shared/settings/endpoints.ts'
import type { SessionUser } from './visitor.ts'

/** What every page knows, loaded by the root route. */
export interface RootData {
  language: Language
  user: SessionUser | null
  expiresAt: string | null
  site: (typeof getSite)['~']['output']
}

/** Undefined where the root route itself failed. */
export const useRootData = () => useRouteLoaderData<RootData>('root')
export const useSite = () => useRootData()?.site
export const useUser = () => useRootData()?.user ?? null
/** When the session ends, unless it is renewed. */
export const useExpiresAt = () => useRootData()?.expiresAt ?? null
