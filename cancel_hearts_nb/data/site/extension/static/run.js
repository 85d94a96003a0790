/* A plugin of JupyterLab's, written by hand as the container that its loader expects. It tells the kernel by which address
   the page was opened, and runs a lesson from top to bottom; a line at the foot of the page says what is going on. */
const NAME = 'cancel-hearts-site';
const STYLE = `
.${NAME} { position: fixed; inset-inline: 0; bottom: 0; z-index: 10000; padding: .5em 1em; background: #0b5d66; color: #fff; font: 14px/1.4 system-ui, sans-serif; }
/* a lesson is read, not written: what changes a notebook is left to its menus */
body[data-chnb-site=lesson] :is(.jp-NotebookPanel-toolbar, .jp-cell-toolbar, .jp-Notebook-footer, .jp-NotebookCheckpoint, .jp-NotebookTrustedStatus) { display: none; }
body[data-chnb-site=lesson] .jp-InputPrompt, body[data-chnb-site=lesson] .jp-OutputPrompt { visibility: hidden; }
body[data-chnb-site=lesson] .jp-Placeholder { overflow: hidden; }
@media (max-width: 600px) { body[data-chnb-site] :is(.jp-InputPrompt, .jp-OutputPrompt, .jp-OutputArea-promptOverlay, .jp-Collapser) { display: none; } }
`;

function foot() {
  const shown = document.createElement('div');
  Object.assign(shown, { className: NAME, lang: words.lang, dir: words.dir });
  shown.setAttribute('role', 'status');
  document.body.append(shown);
  return shown;
}

/* Jupyter scrolls to the last cell that it runs; a reader begins at the first */
async function runAll(app, panel) {
  const place = panel.content.outerNode ?? panel.content.node, top = place.scrollTop, active = panel.content.activeCellIndex;
  const done = app.commands.execute('notebook:run-all-cells');
  await done;
  panel.content.activeCellIndex = active;
  place.scrollTop = top;
}

async function begin(app, panel) {
  const told = foot(), say = key => { told.textContent = words[key]; told.dataset.state = key; };
  say('loading');
  try {
    await panel.context.ready;
    const model = panel.context.model, lesson = model.getMetadata('cancel_hearts')?.run;
    // nobody is to be asked whether to leave what cannot be saved anyway
    const clean = () => { if (lesson && model.dirty) model.dirty = false; };
    model.stateChanged.connect(clean);
    clean();
    document.body.dataset.chnbSite = lesson ? 'lesson' : 'page';
    await panel.sessionContext.ready;
    const kernel = panel.sessionContext.session.kernel;
    await kernel.info;
    const query = JSON.stringify(location.search.slice(1));
    await kernel.requestExecute({ code: `import os\nos.environ["QUERY_STRING"] = ${query}`, silent: true, store_history: false }).done;
    if (lesson) {
      say('running');
      await runAll(app, panel);
    }
    say('ready');
    setTimeout(() => told.remove(), 4000);
  } catch (error) {
    say('failed');
    told.textContent = words.failed.replace('%(error)s', String(error?.message ?? error).slice(0, 200));
  }
}

/* A link to another notebook stays in this site and in this tab; Jupyter would open its list of files, which is not here */
function follow(event) {
  const files = new URL('../files/', location.href).href, link = event.target.closest?.('a[href]');
  if (!link?.href.startsWith(files) || !new URL(link.href).pathname.endsWith('.ipynb')) return;
  event.preventDefault();
  event.stopPropagation();
  const path = decodeURIComponent(link.href.slice(files.length).split(/[?#]/)[0]);
  open('?' + new URLSearchParams({ path }), event.ctrlKey || event.metaKey ? '_blank' : '_self');
}

const plugin = {
  id: `${NAME}:run`,
  autoStart: true,
  activate(app) {
    const style = document.createElement('style'), seen = new WeakSet();
    style.textContent = STYLE;
    document.head.append(style);
    document.addEventListener('click', follow, true);
    const look = () => {
      const panel = app.shell.currentWidget;
      if (!panel?.context || !panel.sessionContext || !panel.content?.widgets || seen.has(panel)) return;
      seen.add(panel);
      begin(app, panel);
    };
    app.shell.currentChanged?.connect(look);
    app.restored.then(() => {
      look();
      const home = new URL('../index.html', location.href).href;
      for (const logo of document.querySelectorAll('a#jp-NotebookLogo, #jp-NotebookLogo a')) { logo.href = home; logo.target = '_self'; }
    });
  },
};

window._JUPYTERLAB = window._JUPYTERLAB || {};
window._JUPYTERLAB[NAME] = { init() {}, get: async () => () => ({ __esModule: true, default: plugin }) };
