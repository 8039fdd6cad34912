import { useEffect, useRef, useState } from 'react'
import { isRouteErrorResponse, useRevalidator } from 'react-router'
import { MAX_RETRIES, RETRY_DELAY_MS } from '#web/ui/ErrorBoundary.tsx'
import { isNetworkError, isStaleBuild } from './error-details.ts'

/** Network errors, 502, 503 and 504 may pass; any other error would only be repeated. */
export const mayPass = (error: unknown): boolean =>
  isRouteErrorResponse(error) ? [502, 503, 504].includes(error.status) : isNetworkError(error) && !isStaleBuild(error)

/** Loads a page again whose error may pass: twice, three seconds apart. True while another try is coming. */
export function usePageRetry(error: unknown, isPage: boolean): boolean {
  const { revalidate } = useRevalidator()
  const tries = useRef(0)
  const [isComing, setComing] = useState(false)
  useEffect(() => {
    if (!isPage || !mayPass(error) || tries.current >= MAX_RETRIES.page) return setComing(false)
    setComing(true)
    const timer = setTimeout(() => {
      tries.current++
      void revalidate()
    }, RETRY_DELAY_MS)
    return () => clearTimeout(timer)
  }, [error, isPage, revalidate])
  return isComing
}
