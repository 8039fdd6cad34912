import { later } from '#web/lib/load-code.ts'
import type { DialogDetail } from './DialogDetail.tsx'

let loaded: typeof DialogDetail | undefined

/** The inside of the dialog; most readers of the list never open one, and then it is not sent. */
export const loadDetail = async () => {
  loaded ??= (await later(() => import('./DialogDetail.tsx'))).DialogDetail
}

export const detailIfLoaded = () => loaded

// An advisory named in the address lies open in the markup already: then it has to be there before the page comes alive.
if (import.meta.env.SSR || new URLSearchParams(location.search).has('highlight')) await loadDetail()
