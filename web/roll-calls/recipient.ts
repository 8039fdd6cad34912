import type { Route } from './+types/RollCallPage'

export type Recipient = Route.ComponentProps['loaderData']['people'][number]
