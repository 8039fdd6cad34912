/**
 * Query parameters that pages read. All others (campaign marks and the like) are dropped before a page is made, so that
 * they neither fill the cache nor split it. `_routes` and `index` are React Router's own.
 */
export const PAGE_QUERY = new Set([
  'search',
  'severity_level',
  'severity',
  'country',
  'source',
  'page',
  'per_page',
  'highlight',
  'mine',
  'category',
  'returnTo',
  'ended',
  'error',
  'token',
  'email',
  'status',
  'role',
  'provider',
  'sort',
  'tab',
  'user',
  'action',
  'since',
  'until',
  'expired',
  'type',
  '_routes',
  'index',
])
