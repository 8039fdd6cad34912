import { useSearchParams } from 'react-router'
import { type Key, type Namespace, useT } from '#web/lib/i18n.tsx'
import { PageNotice } from './AdminPage.tsx'
import { Note } from './Note.tsx'

/** Messages of a namespace: the keys `done_…` without their beginning. */
export type Flash<N extends Namespace> = { [K in Key<N>]: K extends `done_${infer Name}` ? Name : never }[Key<N>]

interface Props<N extends Namespace> {
  namespace: N
  /** Messages that are no success. */
  kinds?: Partial<Record<Flash<N>, 'error' | 'unknown'>>
  /** The messages shown here; the page's other sections show theirs. */
  isFor?: (name: Flash<N>) => boolean
}

/** The result of the last action, which the redirect put into the URL: `?done=saved` shows the text `done_saved`. */
export function FlashMessage<N extends Namespace>({ namespace, kinds = {}, isFor = () => true }: Props<N>) {
  const t = useT(namespace)
  const [params] = useSearchParams()
  const name = params.get('done') as Flash<N> | null
  const key = `done_${name}` as Key<N>
  // Only texts of the portal are shown, whatever a link contains.
  const text = t(key)
  if (!name || text === key || !isFor(name)) return null
  return (
    <PageNotice>
      <Note kind={kinds[name] ?? 'success'} isLive title={text} />
    </PageNotice>
  )
}
