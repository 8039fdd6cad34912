import { useEffect } from 'react'
import { isRouteErrorResponse, useLocation, useRevalidator } from 'react-router'
import { TICKER_REFRESH_MS } from '#shared/advisories/ticker.ts'
import { useAdvisoryEvents } from './events.ts'
import { usePolling } from './poll.ts'

interface LoaderArgs<Data> {
  request: Request
  serverLoader: () => Promise<Data>
}

/**
 * A page that shows advisories and reloads itself when they change. Export `load` as its `clientLoader` and call
 * `useLive(loaderData)` in its component: without `load`, a reload that fails would replace the page with an error.
 */
export function livePage<Data>() {
  let shown: { path: string; data: Data } | undefined

  const remember = (path: string, data: Data) => {
    shown = { path, data }
  }

  /** Data from the server; if it does not answer, what this address shows already. */
  async function load({ request, serverLoader }: LoaderArgs<Data>): Promise<Data> {
    try {
      return await serverLoader()
    } catch (error) {
      const { pathname, search } = new URL(request.url)
      if (isAnswer(error) || !shown || shown.path !== pathname + search) throw error
      return shown.data
    }
  }

  /** Undefined: the page shows an error, which a reload may end. */
  function useLive(data: Data | undefined) {
    const { pathname, search } = useLocation()
    const { revalidate } = useRevalidator()
    useEffect(() => {
      if (data !== undefined) remember(pathname + search, data)
    }, [pathname, search, data])
    useAdvisoryEvents(revalidate)
    usePolling(revalidate, TICKER_REFRESH_MS)
  }

  return { load, remember, useLive }
}

/** A redirect, or an error the user can act on, such as a deleted record: the page must follow it. */
const isAnswer = (error: unknown) => error instanceof Response || (isRouteErrorResponse(error) && error.status < 500)
