import { index, layout, type RouteConfig, type RouteConfigEntry, route } from '@react-router/dev/routes'
import type { PagePath } from '#shared/pages/pages.ts'

/** Routes of pages, which all have an entry in shared/pages, by the file of their component. */
function pages(components: { [Path in PagePath]?: string }): RouteConfigEntry[] {
  const files = Object.values(components)
  return Object.entries(components).map(([path, file]) => {
    if (path === '/') return index(file)
    // The id of a route is that of its file, unless several pages share the component.
    const isShared = files.filter((other) => other === file).length > 1
    return route(path.slice(1), file, isShared ? { id: path } : {})
  })
}

const notFound = (path: string) => route(path, 'content/NotFoundPage.tsx', { id: path })

export default [
  layout('layouts/PublicLayout.tsx', [
    ...pages({
      '/': 'content/LandingPage.tsx',
      '/travel-advisories': 'advisories/TravelAdvisoriesPage.tsx',
      '/travel-advisories/sources': 'advisories/SourcesPage.tsx',
      '/travel-advisories/:id': 'advisories/AdvisoryPage.tsx',
      '/status': 'status/StatusPage.tsx',
      '/search': 'countries/SearchPage.tsx',
      '/countries': 'countries/CountriesPage.tsx',
      '/countries/:code': 'countries/CountryPage.tsx',
      '/church-locator': 'churches/LocatorPage.tsx',
      '/church-locator/:id': 'churches/LocalePage.tsx',
      '/church-locator/:id/correct': 'churches/CorrectPage.tsx',
      '/church-locator/:id/write': 'churches/WritePage.tsx',
      '/church-locator/confirm/:token': 'churches/ConfirmPage.tsx',
      '/travel-faq': 'content/TravelFaqPage.tsx',
      '/ai-chat': 'assistant/ChatPage.tsx',
    }),
    notFound('*'),
  ]),
  layout('layouts/DashboardLayout.tsx', [
    ...pages({
      '/dashboard': 'overview/dashboard/DashboardPage.tsx',
      '/dashboard/roll-calls/:id': 'roll-calls/OwnRollCallPage.tsx',
    }),
    layout(
      'notifications/NotificationsLayout.tsx',
      pages({
        '/notifications': 'notifications/NotificationsPage.tsx',
        '/notifications/preferences': 'notifications/PreferencesPage.tsx',
      }),
    ),
    layout(
      'accounts/profile/ProfileLayout.tsx',
      pages({
        '/dashboard/profile': 'accounts/profile/AboutPage.tsx',
        '/dashboard/profile/sign-in': 'accounts/profile/SignInPage.tsx',
        '/dashboard/profile/sessions': 'accounts/profile/SessionsPage.tsx',
        '/dashboard/profile/preferences': 'accounts/profile/PreferencesPage.tsx',
        '/dashboard/profile/my-data': 'accounts/profile/MyDataPage.tsx',
        '/dashboard/subscriptions': 'notifications/subscriptions/SubscriptionsPage.tsx',
        '/dashboard/subscriptions/new': 'notifications/subscriptions/SubscriptionPage.tsx',
        '/dashboard/subscriptions/:id': 'notifications/subscriptions/SubscriptionPage.tsx',
      }),
    ),
    notFound('dashboard/*'),
    notFound('notifications/*'),
  ]),
  layout('layouts/AdminLayout.tsx', [
    ...pages({
      '/admin': 'overview/OverviewPage.tsx',
      '/admin/dashboard': 'overview/OverviewPage.tsx',
      '/admin/coordinator': 'overview/CoordinatorPage.tsx',
      '/admin/search': 'overview/AdminSearchPage.tsx',
      '/admin/my-churches': 'churches/care/MyChurchesPage.tsx',
      '/admin/my-churches/:id': 'churches/care/MyChurchPage.tsx',
      '/admin/users': 'accounts/users/UsersPage.tsx',
      '/admin/users/actions/:id': 'accounts/users/AccountActionPage.tsx',
      '/admin/users/:id': 'accounts/users/UserPage.tsx',
      '/admin/users/sign-ins': 'accounts/users/SignInsPage.tsx',
      '/admin/roles': 'accounts/users/RolesPage.tsx',
      '/admin/inbox': 'notifications/AdminInboxPage.tsx',
      '/admin/settings': 'settings/SettingsPage.tsx',
      '/admin/settings/:group': 'settings/SettingsPage.tsx',
      '/admin/data': 'audit/DataPage.tsx',
      '/admin/notifications': 'notifications/admin/AnnouncementsPage.tsx',
      '/admin/notifications/new': 'notifications/admin/NewAnnouncementPage.tsx',
      '/admin/notifications/templates': 'notifications/admin/TemplatesPage.tsx',
      '/admin/notifications/templates/:name/:language': 'notifications/admin/TemplatePage.tsx',
      '/admin/notifications/reminders': 'notifications/admin/RemindersPage.tsx',
      '/admin/notifications/:id': 'notifications/admin/AnnouncementPage.tsx',
      '/admin/notifications/:id/edit': 'notifications/admin/EditAnnouncementPage.tsx',
      '/admin/outbox': 'delivery/OutboxPage.tsx',
      '/admin/assistant': 'assistant/admin/QuestionsPage.tsx',
      '/admin/assistant/facts': 'assistant/admin/FactsPage.tsx',
      '/admin/assistant/facts/new': 'assistant/admin/NewFactPage.tsx',
      '/admin/assistant/facts/:id': 'assistant/admin/FactPage.tsx',
      '/admin/assistant/knowledge': 'assistant/admin/KnowledgePage.tsx',
      '/admin/assistant/knowledge/new': 'assistant/admin/NewKnowledgePage.tsx',
      '/admin/assistant/knowledge/search': 'assistant/admin/KnowledgeSearchPage.tsx',
      '/admin/assistant/cases': 'assistant/cases/CasesPage.tsx',
      '/admin/assistant/cases/:id': 'assistant/cases/CasePage.tsx',
      '/admin/travel-faq': 'content/FaqEntriesPage.tsx',
      '/admin/travel-faq/new': 'content/FaqEntryPage.tsx',
      '/admin/travel-faq/:id': 'content/FaqEntryPage.tsx',
      '/admin/pdos-modules': 'pdos/ModulesPage.tsx',
      '/admin/pdos-modules/new': 'pdos/ModulePage.tsx',
      '/admin/pdos-modules/:id': 'pdos/ModulePage.tsx',
      '/admin/roll-calls': 'roll-calls/RollCallsPage.tsx',
      '/admin/roll-calls/new': 'roll-calls/NewRollCallPage.tsx',
      '/admin/roll-calls/:id': 'roll-calls/RollCallPage.tsx',
      '/admin/travel-advisories': 'advisories/admin/AdvisoriesAdminPage.tsx',
      '/admin/travel-advisories/new': 'advisories/admin/NewAdvisoryPage.tsx',
      '/admin/travel-advisories/names': 'advisories/admin/NamesAdminPage.tsx',
      '/admin/travel-advisories/sources': 'advisories/admin/SourcesAdminPage.tsx',
      '/admin/travel-advisories/sources/new': 'advisories/admin/NewSourcePage.tsx',
      '/admin/travel-advisories/sources/:source': 'advisories/admin/SourceAdminPage.tsx',
      '/admin/travel-advisories/sources/:source/edit': 'advisories/admin/EditSourcePage.tsx',
      '/admin/travel-advisories/:id': 'advisories/admin/EditAdvisoryPage.tsx',
      '/admin/locales': 'churches/admin/LocalesAdminPage.tsx',
      '/admin/locales/new': 'churches/admin/NewLocalePage.tsx',
      '/admin/locales/discretion': 'churches/admin/DiscretionPage.tsx',
      '/admin/locales/discretion/more': 'churches/admin/ShowMorePage.tsx',
      '/admin/locales/import': 'churches/import/ImportsPage.tsx',
      '/admin/locales/import/:id': 'churches/import/ImportPage.tsx',
      '/admin/locales/:id': 'churches/admin/EditLocalePage.tsx',
      '/admin/chapters': 'churches/admin/ChaptersPage.tsx',
      '/admin/chapters/new': 'churches/admin/NewChapterPage.tsx',
      '/admin/chapters/:id': 'churches/admin/ChapterPage.tsx',
    }),
    notFound('admin/*'),
  ]),
  layout(
    'layouts/StandaloneLayout.tsx',
    pages({
      '/support': 'content/SupportPage.tsx',
      '/privacy-policy': 'content/PrivacyPolicyPage.tsx',
      '/terms': 'content/TermsPage.tsx',
      '/outbox': 'delivery/OpenOutboxPage.tsx',
      '/unsubscribe/:token': 'notifications/UnsubscribePage.tsx',
      '/account-erased': 'accounts/profile/ErasedPage.tsx',
      '/undo-change/:token': 'accounts/UndoChangePage.tsx',
    }),
  ),
  layout(
    'layouts/AccountLayout.tsx',
    pages({
      '/login': 'accounts/LoginPage.tsx',
      '/login/hub': 'accounts/HubLoginPage.tsx',
      '/login/code': 'accounts/CodeLoginPage.tsx',
      '/signup': 'accounts/SignUpPage.tsx',
      '/verify-email': 'accounts/VerifyEmailPage.tsx',
      '/sign-in-link': 'accounts/SignInLinkPage.tsx',
      '/forgot-password': 'accounts/ForgotPasswordPage.tsx',
      '/reset-password': 'accounts/ResetPasswordPage.tsx',
      '/authorize': 'accounts/AuthorizePage.tsx',
      '/two-step': 'accounts/TwoStepPage.tsx',
      '/unauthorized': 'accounts/UnauthorizedPage.tsx',
    }),
  ),
  ...pages({
    '/answer/:token': 'roll-calls/AnswerPage.tsx',
    '/emergency': 'emergency/EmergencyPage.tsx',
    '/emergency/countries': 'emergency/EmergencyCountriesPage.tsx',
    '/emergency/:country': 'emergency/EmergencyPage.tsx',
  }),
  // No pages: a file, and what forms are sent to.
  route('dashboard/profile/my-data/file', 'accounts/profile/download.ts'),
  route('dashboard/profile/link-google', 'accounts/profile/link-google.ts'),
  route('logout', 'accounts/logout.ts'),
] satisfies RouteConfig
