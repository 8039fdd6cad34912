/**
 * The only inline script of ours, the same on every page, so that its hash never changes. Before anything is painted it
 * says that scripts run, which theme was chosen and how wide the drawer of the admin area is; afterwards it answers
 * their buttons, also on pages that send no other script.
 */
export const PAGE_SCRIPT = `(()=>{const d=document.documentElement,k='theme';d.dataset.js='';
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
