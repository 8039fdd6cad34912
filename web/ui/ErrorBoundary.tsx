import { Component, type ReactNode } from 'react'

export const RETRY_DELAY_MS = 3000
export const MAX_RETRIES = { component: 3, page: 2 } as const

export interface BoundaryError {
  error: unknown
  /** Renders the section again. */
  retry: () => void
  /** An automatic retry is pending. */
  isRetrying: boolean
}

interface Props {
  children: ReactNode
  fallback: (error: BoundaryError) => ReactNode
  level?: keyof typeof MAX_RETRIES
  /** Retries automatically, a few times with a delay. */
  isAutoRetrying?: boolean
  maxRetries?: number
  retryDelayMs?: number
  /** A change of any of these causes a retry. */
  resetKeys?: readonly unknown[]
  onError?: (error: unknown, componentStack: string) => void
}

interface State {
  failed: { error: unknown } | null
  isRetrying: boolean
}

/** Contains an error to one section of the page. React still requires a class here. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: null, isRetrying: false }
  private retries = 0
  private timer: ReturnType<typeof setTimeout> | undefined

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failed: { error } }
  }

  override componentDidCatch(error: unknown, { componentStack }: { componentStack?: string | null }) {
    this.props.onError?.(error, componentStack ?? '')
    const {
      isAutoRetrying,
      level = 'component',
      maxRetries = MAX_RETRIES[level],
      retryDelayMs = RETRY_DELAY_MS,
    } = this.props
    const willRetry = isAutoRetrying === true && this.retries < maxRetries
    this.setState({ isRetrying: willRetry })
    if (!willRetry) return
    this.retries++
    clearTimeout(this.timer)
    this.timer = setTimeout(this.redraw, retryDelayMs)
  }

  override componentDidUpdate(before: Props) {
    if (this.state.failed && haveChanged(before.resetKeys, this.props.resetKeys)) this.retry()
  }

  override componentWillUnmount() {
    clearTimeout(this.timer)
  }

  override render() {
    const { failed, isRetrying } = this.state
    if (!failed) return this.props.children
    return this.props.fallback({ error: failed.error, retry: this.retry, isRetrying })
  }

  private redraw = () => this.setState({ failed: null, isRetrying: false })

  /** A manual retry or new keys reset the count. */
  private retry = () => {
    clearTimeout(this.timer)
    this.retries = 0
    this.redraw()
  }
}

function haveChanged(before: readonly unknown[] = [], now: readonly unknown[] = []): boolean {
  return before.length !== now.length || now.some((key, index) => !Object.is(key, before[index]))
}
