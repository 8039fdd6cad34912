import { useEffect, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import type { FormError } from '#web/lib/visitor.ts'
import type { Counted } from './estimate.ts'

/** The id of the form. */
export const COMPOSER = 'composer'
const INPUT_PAUSE_MS = 600

/** The result of the intent `estimate`. */
export interface EstimateData {
  counted?: Counted | null
  error?: FormError | undefined
}

/**
 * Counts the recipients again when the input pauses. Until the new count is there, and while the form is incomplete,
 * the last one stays and is marked.
 */
export function useEstimate(action: string, initial: Counted | null) {
  const fetcher = useFetcher<EstimateData>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isBusy = useRef(false)
  isBusy.current = fetcher.state !== 'idle'
  // Whichever came last: the count of the page, or one that followed the input.
  const [shown, setShown] = useState({ initial, data: fetcher.data, counted: initial })
  if (shown.initial !== initial) setShown({ ...shown, initial, counted: initial })
  else if (shown.data !== fetcher.data)
    setShown({
      initial,
      data: fetcher.data,
      counted: fetcher.data?.error ? shown.counted : (fetcher.data?.counted ?? null),
    })
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    counted: shown.counted,
    isBehind: fetcher.state !== 'idle',
    error: fetcher.data?.error,
    /** The form is being submitted: no count may run beside it. */
    stop: () => clearTimeout(timer.current),
    follow,
  }

  function follow() {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      const form = document.getElementById(COMPOSER)
      if (!(form instanceof HTMLFormElement)) return
      // One count at a time: counting a very large audience takes a while.
      if (isBusy.current) return follow()
      const values = new FormData(form)
      values.set('intent', 'estimate')
      void fetcher.submit(values, { method: 'post', action, preventScrollReset: true })
    }, INPUT_PAUSE_MS)
  }
}
