/**
 * Our only inline script, identical on every page, so that its hash never changes. Before first paint it marks that
 * scripts run, continues a navigation whose script could not be fetched (layouts/PageLoading.tsx), and applies the chosen theme and the width of the admin drawer; afterwards it handles their buttons, also
 * on pages without other scripts.
 */
export const PAGE_SCRIPT = `(()=>{const d=document.documentElement,k='theme';d.dataset.js='';
try{const p=sessionStorage.getItem('pending');sessionStorage.removeItem('pending');if(p&&/^\\/(?!\\/)/.test(p)&&performance.getEntriesByType('navigation')[0].type==='reload')location.replace(p)}catch{}
const show=t=>{if(t==='light'||t==='dark')d.dataset.theme=t;else delete d.dataset.theme;
document.querySelectorAll('[data-theme-choice]').forEach(b=>b.setAttribute('aria-pressed',String(b.dataset.themeChoice===(t||'system'))))};
let t=null;try{t=localStorage.getItem(k)}catch{}show(t);
document.addEventListener('DOMContentLoaded',()=>show(t));
const drawer=()=>{let s;try{s=localStorage.getItem('drawer')==='small'}catch{}if(s)d.dataset.drawer='small';else delete d.dataset.drawer;
document.querySelectorAll('[data-drawer-fold]').forEach(b=>b.setAttribute('aria-expanded',String(!s)))};drawer();
document.addEventListener('DOMContentLoaded',drawer);
document.addEventListener('click',e=>{const f=x=>e.target.closest?.(x),b=f('[data-theme-choice]');
if(f('[data-drawer-fold]')){d.dataset.drawerMoves='';try{d.dataset.drawer?localStorage.removeItem('drawer'):localStorage.setItem('drawer','small')}catch{}drawer()}
if(!b)return;t=b.dataset.themeChoice;
try{t==='system'?localStorage.removeItem(k):localStorage.setItem(k,t)}catch{}show(t)})})()`
