import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'web',
  buildDirectory: 'build',
  ssr: true,
  // The routes are few and known with the page: no further request, and no address of the framework's own to answer.
  routeDiscovery: { mode: 'initial' },
} satisfies Config
