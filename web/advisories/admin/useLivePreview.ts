import { type RefObject, useEffect, useRef } from 'react'
import { useFetcher } from 'react-router'
import type { Answer } from './entry.server.ts'

const TYPING_PAUSE_MS = 600

/** Fetches the preview when typing pauses; keeps the last valid one while the form is incomplete. */
export function useLivePreview(form: RefObject<HTMLFormElement | null>) {
  const fetcher = useFetcher<Answer>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const last = useRef<Answer['preview']>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  if (fetcher.data?.preview) last.current = fetcher.data.preview
  return {
    preview: last.current,
    isBehind: Boolean(fetcher.data?.error),
    /** The form is being submitted: a preview that still waits for a pause must not run beside it. */
    stop: () => clearTimeout(timer.current),
    follow() {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => {
        if (!form.current) return
        const written = new FormData(form.current)
        written.set('intent', 'preview')
        void fetcher.submit(written, { method: 'post', preventScrollReset: true })
      }, TYPING_PAUSE_MS)
    },
  }
}
