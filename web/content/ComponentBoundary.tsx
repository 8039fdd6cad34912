import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { ErrorBoundary } from '#web/ui/ErrorBoundary.tsx'
import { ErrorScreen } from './ErrorScreen.tsx'

interface Props {
  /** Of the section, for the report. */
  name: string
  children: ReactNode
}

/**
 * Contains an error to one section of a page: the rest stays usable. The section is rendered again a few times, and
 * whenever the address changes.
 */
export function ComponentBoundary({ name, children }: Props) {
  const { pathname, search } = useLocation()
  return (
    <ErrorBoundary
      isAutoRetrying
      resetKeys={[pathname, search]}
      fallback={({ error, retry, isRetrying }) => (
        <ErrorScreen level="component" component={name} error={error} retry={retry} isRetrying={isRetrying} />
      )}
    >
      {children}
    </ErrorBoundary>
  )
}
