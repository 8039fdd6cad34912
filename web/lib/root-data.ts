import { useRouteLoaderData } from 'react-router'
import type { Language } from '#shared/language.ts'
import type { PageLookup } from '#shared/pages/entry.ts'
import type { getSite } from '#shared/settings/endpoints.ts'
import type { Namespace } from './i18n.tsx'
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

/** Route options in `handle`. */
export interface RouteHandle {
  /** Namespaces of texts the page needs besides common. */
  ns?: Namespace[]
  /** Of a layout: the pages in it, unless they are open to anyone. */
  pages?: PageLookup
  /** A static page sends no scripts at all. */
  plain?: boolean
  /** The page shows placeholders of its own while another list of it is loading. */
  hasPlaceholders?: boolean
  /** On phones the page shows the ticker itself, below its first block. */
  hasTickerBelow?: boolean
}
