import { later } from '#web/lib/load-code.ts'
import type { DialogDetail } from './DialogDetail.tsx'

let loaded: typeof DialogDetail | undefined

/** Content of the dialog; loaded on demand because most users of the list never open one. */
export const loadDetail = async () => {
  loaded ??= (await later(() => import('./DialogDetail.tsx'))).DialogDetail
}

export const detailIfLoaded = () => loaded

// An advisory named in the URL is open in the markup already, so it must be loaded before hydration.
if (import.meta.env.SSR || new URLSearchParams(location.search).has('highlight')) await loadDetail()
