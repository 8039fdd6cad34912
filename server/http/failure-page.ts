import type { ErrorBody } from '#shared/errors.ts'

/**
 * The page for when rendering a page failed. It depends on nothing that could fail as well: no template, texts or
 * external styles; so it shows both languages.
 */
export function errorPage(status: number, body: ErrorBody, headers: Record<string, string>): Response {
  const busy = status === 503
  const id = body.id ? `<p>Error ID <bdi><code>${body.id}</code></bdi></p>` : ''
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Page Error - MFA Portal</title>
<style>body{font:17px/1.5 system-ui,"Segoe UI",Roboto,"Noto Sans","Noto Sans Arabic",Tahoma,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}a{color:LinkText}section{margin-block:2rem}</style></head>
<body><main><section><h1>Page Error</h1>
<p>${busy ? 'The portal is not responding right now. Nothing was lost. Please try again in a moment.' : 'An unexpected error occurred.'}</p>${id}
<p>In danger? Call the local emergency number first. <a href="/emergency">Emergency numbers</a></p><p><a href="">Try Again</a> · <a href="/">Go Home</a></p></section>
<section lang="ar" dir="rtl"><h2>خطأ في الصفحة</h2>
<p>${busy ? 'البوابة لا تستجيب الآن. لم يُفقد شيء. يُرجى إعادة المحاولة بعد قليل.' : 'حدث خطأ غير متوقع.'}</p>
<p>في حالة الخطر، يُرجى الاتصال أولًا برقم الطوارئ المحلي.</p><p><a href="">إعادة المحاولة</a> · <a href="/">الصفحة الرئيسية</a></p></section></main></body></html>`
  return new Response(html, {
    status,
    headers: {
      ...headers,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    },
  })
}
