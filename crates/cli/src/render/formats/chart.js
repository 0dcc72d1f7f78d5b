'use strict';
// Draws the rows that are to be seen, and puts states together when somebody looks at them.
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const { steps, columns, channels, arrows, strings, row: ROW } = data;
  const el = (id) => document.getElementById(id);
  const scroller = el('scroller'), sheet = el('sheet'), drawing = el('drawing'), heads = el('heads');
  const HEAD = 36, STUB = 34, LINE = 18;
  const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  const safe = (text) => String(text).replace(/[&<>"']/g, (c) => escapes[c]);
  const letters = (text) => [...text];
  const short = (text, most = data.longest) => {
    const all = letters(text);
    return all.length <= most ? text : all.slice(0, most - 1).join('') + '…';
  };
  const wide = (text) => Math.min(letters(text).length, data.longest) * data.letter;

  // Which arrows begin and end in which step.
  const begins = steps.map(() => []), ends = steps.map(() => []);
  for (const arrow of arrows) {
    begins[arrow.from[1]].push(arrow);
    if (arrow.kind === 'message') ends[arrow.to[1]].push(arrow);
  }

  // What is shown: columns, channels, and the steps that follow from them.
  const shownColumns = columns.map(() => true), shownChannels = channels.map(() => true);
  let middles = [], width = 0, rows = [], rowOf = [];

  function isShown(at) {
    const step = steps[at];
    const there = shownColumns[step.c] || (step.partner && shownColumns[step.partner.c]);
    if (!there) return false;
    const mine = begins[at].concat(ends[at]).filter((arrow) => arrow.channel !== undefined);
    const isMessage = step.k !== 'local' && step.k !== 'end' && mine.length > 0;
    return !isMessage || mine.some((arrow) => shownChannels[arrow.channel]);
  }

  function arrange() {
    let x = data.margin;
    middles = columns.map((column, at) => {
      if (!shownColumns[at]) return null;
      x += column.width;
      return x - column.width / 2;
    });
    rows = [];
    rowOf = steps.map((_, at) => (isShown(at) ? rows.push(at) - 1 : -1));
    let reach = x + 60;
    for (const at of rows) {
      const step = steps[at], middle = middles[step.c];
      if (middle !== null && step.k !== 'local' && !step.left) {
        reach = Math.max(reach, middle + wide(strings[step.text]) + 2 * STUB);
      }
    }
    width = Math.max(reach, scroller.clientWidth - 20, 420);
    sheet.style.width = heads.style.width = width + 'px';
    sheet.style.height = bottom() + (data.rests.length ? 34 : 0) + 52 + bannerLines().length * LINE + 'px';
    heads.innerHTML = `<i class="mask" style="width:${92 + data.times}px"></i>` + '<i style="right:calc(100% - 46px)">step</i><i style="right:calc(100% - 84px)">line</i>' +
      (data.times ? `<i style="right:calc(100% - ${84 + data.times}px)">time</i>` : '') + columns.map((column, at) => middles[at] === null ? '' :
      `<span data-column="${at}" title="${safe(column.title)}" style="left:${middles[at] - column.width / 2 + 4}px;width:${column.width - 8}px">${safe(column.title)}</span>`).join('');
    drawnFrom = -1;
    draw();
    place(el('selected'), selected);
  }

  const bottom = () => rows.length * ROW + 10;
  // A little below the middle: what an arrow says stands above it, also in the first row.
  const y = (row) => row * ROW + ROW / 2 + 3;

  // The first row at or behind a step, for lifelines.
  function rowBehind(at) {
    for (let step = at; step < steps.length; step++) if (rowOf[step] >= 0) return rowOf[step];
    return rows.length;
  }

  // Drawing, from a row to a row.
  let drawnFrom = -1, drawnTo = -1;
  function draw() {
    const first = Math.floor(scroller.scrollTop / ROW) - 4;
    const last = first + Math.ceil(scroller.clientHeight / ROW) + 8;
    if (drawnFrom >= 0 && first >= drawnFrom && last <= drawnTo) return;
    const from = Math.max(0, first - 30), to = Math.min(rows.length, last + 30);
    drawnFrom = from; drawnTo = to >= rows.length ? Infinity : to;
    if (from === 0) drawnFrom = -Infinity;
    const top = from * ROW;
    const height = (to >= rows.length ? bottom() + 72 + bannerLines().length * LINE : to * ROW) - top;
    drawing.setAttribute('width', width);
    drawing.setAttribute('height', height);
    drawing.setAttribute('viewBox', `0 ${top} ${width} ${height}`);
    drawing.style.top = top + 'px';
    const out = [];
    for (let row = from; row < to; row++) {
      if (matches.has(rows[row])) out.push(`<rect class="matchrow" x="4" y="${row * ROW}" width="${width}" height="${ROW}"/>`);
    }
    lifelines(out, top, top + height);
    for (const arrow of arrows) {
      const a = rowOf[arrow.from[1]], b = rowOf[arrow.to[1]];
      if (a < 0 && b < 0) continue;
      const low = Math.min(a < 0 ? b : a, b < 0 ? a : b), high = Math.max(a, b);
      if (high >= from - 1 && low <= to) drawArrow(out, arrow, a, b);
    }
    boxes(out, from, to);
    starts(out, from, to);
    for (let row = from; row < to; row++) drawStep(out, row);
    if (data.cycle !== null) {
      const at = rowBehind(data.cycle) * ROW, stays = data.cycle === steps.length;
      const side = width - 10, end = width - 22;
      out.push(`<line class="cycle" x1="8" y1="${at}" x2="${width}" y2="${at}"/><text class="note cycletext left" x="${end}" y="${at - 4}">${stays ? 'the last state repeats for ever' : 'the cycle begins'}</text>`);
      // From the last step back to the first one.
      if (!stays) out.push(`<path class="round" d="M${end} ${rows.length * ROW - ROW / 2}H${side}V${at + 10}"/><path class="roundtip" d="M${side} ${at}L${side - 4} ${at + 10}H${side + 4}Z"/>`);
    }
    if (to >= rows.length) drawEnd(out);
    // Numbers and lines stay in view, whatever is scrolled to.
    out.push(`<g id="margin" aria-hidden="true"><rect class="back" x="0" y="${top}" width="${92 + data.times}" height="${(to - from) * ROW}"/>`);
    for (let row = from; row < to; row++) {
      const at = rows[row], base = y(row) + 4;
      out.push(`<text class="number" x="46" y="${base}">${at + 1}</text><text class="line" x="84" y="${base}">:${steps[at].line}</text>`);
      if (steps[at].time !== undefined) out.push(`<text class="line time" x="${84 + data.times}" y="${base}">${safe(steps[at].time)}</text>`);
    }
    out.push('</g>');
    drawing.innerHTML = out.join('');
    slide();
  }

  function slide() {
    const left = scroller.scrollLeft, margin = el('margin');
    if (margin) {
      margin.setAttribute('transform', `translate(${left} 0)`);
      margin.firstChild.setAttribute('visibility', left > 0 ? 'visible' : 'hidden');
    }
    const banner = el('banner');
    if (banner) banner.setAttribute('transform', `translate(${left} 0)`);
    for (const word of heads.querySelectorAll('i')) word.style.transform = `translateX(${left}px)`;
  }

  function lifelines(out, top, end) {
    columns.forEach((column, at) => {
      const x = middles[at];
      if (x === null) return;
      for (const [, born, died] of column.lives) {
        const a = born < 0 ? 0 : y(rowBehind(born)), b = died < 0 ? bottom() : y(rowBehind(died));
        if (b >= top && a <= end) out.push(`<line class="life" x1="${x}" y1="${Math.max(a, top)}" x2="${x}" y2="${Math.min(b, end)}"/>`);
      }
    });
  }

  const cross = (x, y) => `<path class="cross" d="M${x - 5} ${y - 5}L${x + 5} ${y + 5}M${x + 5} ${y - 5}L${x - 5} ${y + 5}"/>`;
  const tip = (x, y, way, more) => `M${x} ${y}L${x - way * (10 + more)} ${y - 4 - more}L${x - way * (10 + more)} ${y + 4 + more}Z`;

  function drawArrow(out, arrow, a, b) {
    if (arrow.channel !== undefined && !shownChannels[arrow.channel]) return;
    const x1 = a < 0 ? null : middles[arrow.from[0]], x2 = b < 0 ? null : middles[arrow.to[0]];
    if (x1 === null && x2 === null) return;
    const colour = arrow.channel === undefined ? '' : ' c' + (arrow.channel % 8);
    const y1 = y(a), y2 = y(b);
    let body;
    if (arrow.kind === 'unreceived' || arrow.kind === 'lost') {
      const mark = arrow.kind === 'lost' ? cross(x1 + STUB, y1) : `<circle class="open${colour}" cx="${x1 + STUB}" cy="${y1}" r="4"/>`;
      body = `<path class="arrow waits${colour}" d="M${x1} ${y1}H${x1 + STUB - 4}"/>${mark}`;
    } else if (x1 === null || x2 === null) {
      // The other end is hidden.
      if (arrow.kind === 'start') return;
      const sends = x2 === null, step = steps[sends ? arrow.from[1] : arrow.to[1]];
      // A text stands on the side to which its message goes, and away from where one comes from.
      const way = step.left ? -1 : 1, at = sends ? y1 : y2;
      const begin = sends ? x1 : x2 - way * STUB, end = sends ? x1 + way * STUB : x2;
      body = `<path class="arrow waits${colour}" d="M${begin} ${at}H${end}"/><path class="tip${colour}" d="${tip(end, at, way, 0)}"/>`;
    } else {
      const way = x2 >= x1 ? 1 : -1;
      if (arrow.kind === 'start') {
        const end = x2 - way * headRoom(arrow.to[0]) / 2;
        body = `<path class="starts" d="M${x1} ${y1}H${end}"/><path class="starttip" d="${tip(end, y2, way, 0)}"/>`;
      } else if (arrow.kind === 'rendezvous') {
        body = `<path class="arrow meets${colour}" d="M${x1} ${y1}H${x2 - way * 9}"/><path class="tip${colour}" d="${tip(x2, y2, way, 1.5)}"/>`;
      } else if (arrow.track !== undefined) {
        const lane = 12 + 5 * (arrow.track % 8);
        const aside = x1 === x2 ? x2 + lane : x2 - way * lane;
        body = `<path class="arrow${colour}" d="M${x1} ${y1}H${aside}M${aside} ${y2}H${x2}"/><path class="arrow rests${colour}" d="M${aside} ${y1}V${y2}"/><path class="tip${colour}" d="${tip(x2, y2, aside < x2 ? 1 : -1, 0)}"/>`;
      } else {
        const length = Math.hypot(x2 - x1, y2 - y1) || 1, dx = (x2 - x1) / length, dy = (y2 - y1) / length;
        const bx = x2 - 10 * dx, by = y2 - 10 * dy;
        body = `<path class="arrow${colour}" d="M${x1} ${y1}L${bx} ${by}"/><path class="tip${colour}" d="M${x2} ${y2}L${bx - 4 * dy} ${by + 4 * dx}L${bx + 4 * dy} ${by - 4 * dx}Z"/>`;
      }
    }
    out.push(`<g data-arrow="${arrow.kind}"><title>${safe(arrow.title)}</title>${body}</g>`);
  }

  // A box around what a process does by itself, one step after the other.
  function boxes(out, from, to) {
    const isLocal = (row) => rows[row] !== undefined && steps[rows[row]].k === 'local' &&
      !steps[rows[row]].fault && middles[steps[rows[row]].c] !== null;
    let row = from;
    while (row > 0 && isLocal(row) && isLocal(row - 1)) row--;
    while (row < to) {
      const first = row++;
      if (!isLocal(first)) continue;
      const column = steps[rows[first]].c;
      while (row < rows.length && isLocal(row) && steps[rows[row]].c === column && rows[row] !== data.cycle) row++;
      let room = 0;
      for (let at = first; at < row; at++) room = Math.max(room, wide(strings[steps[rows[at]].text]) + 16);
      out.push(`<rect class="box" x="${middles[column] - room / 2}" y="${y(first) - 10}" width="${room}" height="${(row - first) * ROW - 8}" rx="3"/>`);
    }
  }

  function headRoom(at) {
    const column = columns[at];
    const longest = Math.max(...column.lives.map((life) => letters(life[0]).length));
    return Math.min((longest + String(column.pid).length + 2) * data.letter + 18, column.width);
  }

  // The names of processes that begin on the way.
  function starts(out, from, to) {
    columns.forEach((column, at) => {
      if (middles[at] === null) return;
      for (const [name, born] of column.lives) {
        const row = born < 0 ? -1 : rowOf[born];
        if (row < from || row >= to) continue;
        const text = `${name}(${column.pid})`, room = headRoom(at), x = middles[at];
        out.push(`<rect class="head" x="${x - room / 2}" y="${y(row) - 11}" width="${room}" height="22" rx="4"/><text class="headtext" x="${x}" y="${y(row) + 4}">${safe(short(text, Math.floor(room / data.letter)))}</text>`);
      }
    });
  }

  function drawStep(out, row) {
    const at = rows[row], step = steps[at], middle = y(row), base = middle + 4;
    const full = strings[step.text], text = safe(short(full));
    const bad = step.fault ? ' faulttext' : step.idle ? ' idle' : '';
    const label = `Step ${at + 1}, ${columns[step.c].title}: ${full}, line ${step.line}` + (step.fault ? `, ${step.fault}` : '');
    out.push(`<g role="option" id="step-${at + 1}" data-step="${at + 1}" aria-selected="${at === selected}" aria-label="${safe(label)}"><title>${safe(full)}</title>`);
    const x = middles[step.c];
    if (x === null) {
      const other = middles[step.partner.c];
      out.push(`<text class="note" x="${other + 9}" y="${middle - 6}">${text}</text>`);
    } else if (step.k === 'local') {
      if (step.fault) {
        const room = wide(full) + 16;
        out.push(`<rect class="faultbox" x="${x - room / 2}" y="${middle - 11}" width="${room}" height="22" rx="3"/>`);
      }
      out.push(`<text class="boxtext${bad}" x="${x}" y="${base}">${text}</text>`);
    } else if (step.k === 'end') {
      out.push(cross(x, middle), `<text class="note" x="${x + 12}" y="${base}">${text}</text>`);
    } else {
      const height = step.k === 'take' ? base : middle - 6;
      out.push(`<text class="note${bad}${step.left ? ' left' : ''}" x="${step.left ? x - 9 : x + 9}" y="${height}">${text}</text>`);
    }
    out.push('</g>');
  }

  // The end in words, as wide as the window, in as many lines as it takes.
  const bannerWidth = () => Math.max(240, Math.min(width, scroller.clientWidth) - 16);
  function bannerLines() {
    const most = Math.floor((bannerWidth() - 24) / 7.6), lines = [''];
    for (const word of ((data.wrong ? '✗ ' : '') + data.end).split(' ')) {
      let rest = letters(word);
      const last = lines.length - 1, joined = lines[last] ? lines[last] + ' ' + word : word;
      if (letters(joined).length <= most) { lines[last] = joined; continue; }
      for (; rest.length > most; rest = rest.slice(most)) lines.push(rest.slice(0, most).join(''));
      lines.push(rest.join(''));
    }
    return lines.filter((line) => line);
  }

  function drawEnd(out) {
    let top = bottom();
    for (const rest of data.rests) {
      const x = middles[rest.column];
      if (x === null) continue;
      const text = short(rest.text, Math.floor((columns[rest.column].width - 22) / data.letter)), room = wide(text) + 16;
      out.push(`<g><title>${safe(rest.text)}</title><rect class="${rest.fine ? 'finebox' : 'restbox'}" x="${x - room / 2}" y="${top}" width="${room}" height="22" rx="3"/><text class="boxtext${rest.fine ? '' : ' faulttext'}" x="${x}" y="${top + 15}">${safe(text)}</text></g>`);
    }
    if (data.rests.length) top += 34;
    const lines = bannerLines();
    const texts = lines.map((line, at) => `<text class="bannertext" x="20" y="${top + 20 + at * LINE}">${safe(line)}</text>`);
    out.push(`<g id="banner"><rect class="${data.wrong ? 'banner' : 'calm'}" x="8" y="${top}" width="${bannerWidth()}" height="${12 + lines.length * LINE}" rx="4"/>${texts.join('')}</g>`);
  }

  // States: -1 is the initial one. Going on is cheap, going back begins anew.
  const now = { at: -2, values: new Map(), places: new Map(), changed: new Map() };
  function apply(number) {
    const change = data.states[number];
    now.changed = new Map();
    for (let i = 0; i < change.v.length; i += 2) {
      const name = strings[change.v[i]];
      now.changed.set(name, now.values.get(name));
      now.values.set(name, strings[change.v[i + 1]]);
    }
    for (const name of change.gone || []) now.values.delete(strings[name]);
    now.moved = new Set();
    for (let i = 0; i < change.p.length; i += 2) {
      now.places.set(change.p[i], strings[change.p[i + 1]]);
      now.moved.add(change.p[i]);
    }
    if (change.ended !== undefined) now.places.delete(change.ended);
  }
  function stateAfter(at) {
    if (at < now.at) { now.at = -2; now.values.clear(); now.places.clear(); }
    while (now.at < at) { now.at++; apply(now.at + 1); }
    return now;
  }

  // The panel.
  // A process by the name that it has in a step: its number may be used again.
  function nameAt(at, step) {
    const life = columns[at].lives.find(([, born, died]) => born <= step && (died < 0 || step <= died));
    return life ? `${life[0]}(${columns[at].pid})` : columns[at].title;
  }
  function words(turn, role, at) {
    const source = strings[turn.source], statement = strings[turn.statement];
    return `<div><b>${safe(nameAt(turn.c, at))}</b>${role} <span class="where">${safe(strings[turn.place])}</span></div>` +
      `<div class="words">${safe(statement)}</div>` +
      (source && source !== statement && source !== statement + ';' ? `<div class="where">in <code>${safe(source)}</code></div>` : '');
  }
  const jump = (at, text) => `<a href="#step=${at + 1}">${text}</a>`;
  function panel(at) {
    const out = [];
    if (at < 0) {
      out.push('<h2>Initial state</h2>');
    } else {
      const step = steps[at];
      out.push(`<h2>Step ${at + 1} of ${steps.length}</h2>`, words(step.turn, '', at));
      if (step.partner) out.push(words(step.partner, ' receives', at));
      if (step.printed) out.push(`<div>prints</div><div class="words">${safe(step.printed.trimEnd())}</div>`);
      for (const arrow of begins[at]) {
        if (arrow.kind === 'message') out.push(`<div>message received by ${safe(nameAt(arrow.to[0], arrow.to[1]))} in ${jump(arrow.to[1], 'step ' + (arrow.to[1] + 1))}</div>`);
        if (arrow.kind === 'unreceived') out.push('<div>message never received</div>');
        if (arrow.kind === 'lost') out.push('<div>message lost: the channel is full</div>');
      }
      for (const arrow of ends[at]) out.push(`<div>message sent by ${safe(nameAt(arrow.from[0], arrow.from[1]))} in ${jump(arrow.from[1], 'step ' + (arrow.from[1] + 1))}</div>`);
      if (step.fault && at < steps.length - 1) out.push(`<div class="words bad">✗ ${safe(step.fault)}</div>`);
    }
    if (at === steps.length - 1 && (data.wrong || data.cycle !== null)) out.push(`<div class="words${data.wrong ? ' bad' : ''}">${data.wrong ? '✗ ' : ''}${safe(data.end)}</div>`);
    if (data.cycle !== null && at >= data.cycle) out.push('<div class="where">within the cycle</div>');
    el('step').innerHTML = out.join('');
    showSource(at);
    el('state').innerHTML = tables(stateAfter(at), at >= 0);
  }
  // The source, with the lines of the step: the text of a file is made when a step is in it.
  let shownFile = -1;
  function showSource(at) {
    const pane = el('text'), step = steps[at];
    for (const old of pane.querySelectorAll('[aria-current], .partner')) { old.removeAttribute('aria-current'); old.className = ''; }
    if (!step) return;
    const [file, first, last] = step.turn.lines;
    if (file !== shownFile) {
      shownFile = file;
      el('file').textContent = data.files[file].name;
      pane.innerHTML = data.files[file].text.replace(/\n$/, '').split('\n').map((text, line) => `<code data-line="${line + 1}">${safe(text)}\n</code>`).join('');
    }
    const lines = pane.children;
    if (step.partner && step.partner.lines[0] === file) {
      for (let line = step.partner.lines[1]; line <= step.partner.lines[2]; line++) if (lines[line]) lines[line].className = 'partner';
    }
    for (let line = first; line <= last; line++) if (lines[line]) { lines[line].className = ''; lines[line].setAttribute('aria-current', 'true'); }
    const line = lines[first];
    if (!line) return;
    const top = line.offsetTop, height = pane.clientHeight;
    if (top < pane.scrollTop + 20 || top + 40 > pane.scrollTop + height) pane.scrollTop = Math.max(0, top - height / 3);
  }
  function tables(state, mark) {
    const globals = [], queues = [], own = new Map();
    for (const pid of [...state.places.keys()].sort((a, b) => a - b)) own.set(pid, []);
    for (const [name, value] of state.values) {
      const local = /^\S+?\((\d+)\):(.*)$/.exec(name);
      const changed = mark && state.changed.has(name), old = state.changed.get(name);
      if (el('sparse').checked && !changed && (value === '0' || value === '[]')) continue;
      const shown = local && !value.startsWith('[') ? local[2] : name;
      const line = `<tr class="${changed ? 'new' : value === '0' || value === '[]' ? 'zero' : ''}"><td>${safe(shown)}</td><td>${changed && old !== undefined && old !== value ? `<del>${safe(old)}</del>` : ''}${safe(value)}</td></tr>`;
      if (value.startsWith('[')) queues.push(line);
      else if (local) { const pid = Number(local[1]); if (!own.has(pid)) own.set(pid, []); own.get(pid).push(line); }
      else globals.push(line);
    }
    const table = (lines) => lines.length ? `<table>${lines.join('')}</table>` : '';
    const out = [];
    if (globals.length) out.push('<h3>Variables</h3>', table(globals));
    if (queues.length) out.push('<h3>Channels</h3>', table(queues));
    for (const [pid, lines] of own) {
      const column = columns.findIndex((one) => one.pid === pid);
      const moved = mark && state.moved && state.moved.has(pid);
      out.push(`<h3>${safe(column < 0 ? pid : nameAt(column, now.at))}${moved ? ' · moved' : ''}</h3>`);
      if (state.places.has(pid)) out.push(`<div class="where"><code>next: ${safe(state.places.get(pid))}</code></div>`);
      out.push(table(lines));
    }
    return out.join('');
  }

  // Choosing a step.
  let selected = -1;
  function place(box, at) {
    const row = at < 0 ? -1 : rowOf[at];
    box.style.display = row < 0 ? 'none' : 'block';
    box.style.top = row * ROW + 'px';
    box.style.height = ROW + 'px';
  }
  function mark(at) {
    for (const span of heads.querySelectorAll('span')) {
      const column = Number(span.dataset.column), step = steps[at];
      span.className = step && (step.c === column || (step.partner && step.partner.c === column)) ? 'active' : '';
    }
  }
  function select(at, options = {}) {
    selected = Math.max(-1, Math.min(steps.length - 1, at));
    place(el('selected'), selected);
    for (const old of drawing.querySelectorAll('[aria-selected="true"]')) old.setAttribute('aria-selected', 'false');
    if (!options.stay) reveal(selected);
    const node = el('step-' + (selected + 1));
    if (node) node.setAttribute('aria-selected', 'true');
    scroller.setAttribute('aria-activedescendant', selected < 0 ? '' : 'step-' + (selected + 1));
    mark(selected);
    panel(selected);
    const hash = '#step=' + (selected + 1);
    el('link').href = hash;
    if (!options.quiet && location.hash !== hash) history.replaceState(null, '', hash);
  }
  function reveal(at) {
    const top = at < 0 ? 0 : Math.max(0, rowOf[at]) * ROW;
    const height = scroller.clientHeight - HEAD;
    if (at < 0) scroller.scrollTop = 0;
    else if (top < scroller.scrollTop + ROW) scroller.scrollTop = Math.max(0, top - height / 3);
    else if (top + 2 * ROW > scroller.scrollTop + height) scroller.scrollTop = top - height * 2 / 3;
    if (at === steps.length - 1) scroller.scrollTop = scroller.scrollHeight;
    const x = at < 0 ? null : middles[steps[at].c];
    if (x !== null && x !== undefined && (x < scroller.scrollLeft + 60 || x > scroller.scrollLeft + scroller.clientWidth - 60)) {
      scroller.scrollLeft = x - scroller.clientWidth / 2;
    }
    draw();
  }
  // The nearest step in a direction that is shown and fits.
  function seek(from, way, fits = () => true) {
    for (let at = from + way; at >= 0 && at < steps.length; at += way) if (rowOf[at] >= 0 && fits(steps[at])) return at;
    return way < 0 ? -1 : from;
  }

  // Searching.
  let matches = new Set(), found = [];
  const haystacks = steps.map((step) => [columns[step.c].title, strings[step.text], strings[step.turn.statement], strings[step.turn.place],
    step.partner ? columns[step.partner.c].title + ' ' + strings[step.partner.statement] : '', step.printed || '', step.fault || ''].join('\n').toLowerCase());
  function search() {
    const query = el('query').value.trim().toLowerCase();
    found = query ? haystacks.map((text, at) => (text.includes(query) ? at : -1)).filter((at) => at >= 0) : [];
    matches = new Set(found);
    drawnFrom = -1;
    draw();
    count();
  }
  function count() {
    const at = found.indexOf(selected);
    el('found').textContent = !el('query').value.trim() ? '' : found.length === 0 ? 'none' : at >= 0 ? `${at + 1} of ${found.length}` : `${found.length} found`;
  }
  function match(way) {
    const all = found.filter((at) => rowOf[at] >= 0);
    if (!all.length) return;
    const next = way > 0 ? all.find((at) => at > selected) : all.filter((at) => at < selected).pop();
    select(next === undefined ? (way > 0 ? all[0] : all[all.length - 1]) : next);
    count();
  }

  // Showing and hiding.
  function filters(field, list, shown, colour) {
    const set = (value) => { shown.fill(value); field.querySelectorAll('input').forEach((box) => { box.checked = value; }); arrange(); };
    for (const [text, value] of [['all', true], ['none', false]]) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = text;
      button.addEventListener('click', () => set(value));
      field.append(button);
    }
    list.forEach((name, at) => {
      const label = document.createElement('label'), box = document.createElement('input');
      box.type = 'checkbox';
      box.checked = true;
      box.addEventListener('change', () => { shown[at] = box.checked; arrange(); });
      label.append(box);
      if (colour) {
        const swatch = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
        swatch.setAttribute('class', 'swatch');
        swatch.setAttribute('aria-hidden', 'true');
        swatch.innerHTML = `<path class="arrow c${at % 8}" d="M0 2H16" style="stroke-width:4"/>`;
        label.append(swatch);
      }
      label.append(name);
      field.append(label);
    });
    if (!list.length) field.append('none');
  }

  // Wiring.
  el('title').textContent = data.title;
  el('verdict').textContent = data.wrong ? '✗ ' + data.what : data.what;
  el('verdict').title = data.end;
  if (data.wrong) el('verdict').className = 'bad';
  filters(el('processes'), columns.map((column) => column.title), shownColumns, false);
  filters(el('channels'), channels, shownChannels, true);
  let waiting = false;
  scroller.addEventListener('scroll', () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(); slide(); });
  });
  addEventListener('resize', () => arrange());
  const under = (event) => {
    const row = Math.floor((event.clientY - sheet.getBoundingClientRect().top) / ROW);
    return rows[row];
  };
  let hovered;
  sheet.addEventListener('pointermove', (event) => {
    const at = under(event);
    if (at === hovered) return;
    hovered = at;
    place(el('hover'), at === undefined ? -1 : at);
    if (at !== undefined) { panel(at); mark(at); }
  });
  sheet.addEventListener('pointerleave', () => { hovered = undefined; place(el('hover'), -1); panel(selected); mark(selected); });
  sheet.addEventListener('click', (event) => { const at = under(event); if (at !== undefined) select(at, { stay: true }); });
  el('verdict').addEventListener('click', () => select(steps.length - 1));
  el('start').addEventListener('click', () => select(-1));
  el('previous').addEventListener('click', () => select(seek(selected, -1)));
  el('following').addEventListener('click', () => select(seek(selected, 1)));
  el('sparse').addEventListener('change', () => panel(selected));
  el('query').addEventListener('input', search);
  el('find').addEventListener('submit', (event) => { event.preventDefault(); match(1); });
  el('next').addEventListener('click', () => match(1));
  el('before').addEventListener('click', () => match(-1));
  const leap = (way) => { let at = selected; for (let i = 0; i < 10; i++) at = seek(at, way); return at; };
  const same = (way) => seek(selected, way, (step) => selected < 0 || step.c === steps[selected].c || (step.partner && step.partner.c === steps[selected].c));
  const keys = {
    ArrowDown: () => select(seek(selected, 1)), ArrowUp: () => select(seek(selected, -1)),
    j: () => select(seek(selected, 1)), k: () => select(seek(selected, -1)),
    ArrowRight: () => select(same(1)), ArrowLeft: () => select(Math.max(same(-1), Math.min(selected, 0))),
    PageDown: () => select(leap(1)), PageUp: () => select(leap(-1)),
    Home: () => select(-1), End: () => select(steps.length - 1),
    '/': () => el('query').focus(), n: () => match(1), N: () => match(-1),
  };
  document.addEventListener('keydown', (event) => {
    // These keys scroll the source when it has the focus.
    if (event.target === el('text') && /^(Arrow|Page|Home|End)/.test(event.key)) return;
    if (event.target instanceof HTMLInputElement && event.target.type !== 'checkbox') {
      if (event.key === 'Escape') scroller.focus();
      return;
    }
    const key = keys[event.key];
    if (!key || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    key();
  });
  function follow() {
    const wanted = /step=(\d+)/.exec(location.hash);
    if (wanted) select(Number(wanted[1]) - 1, { quiet: true });
    return Boolean(wanted);
  }
  addEventListener('hashchange', follow);
  const begun = performance.now();
  arrange();
  // The error: the start of the cycle, or the last step.
  const round = data.cycle !== null && data.cycle < steps.length ? data.cycle : steps.length - 1;
  const opening = data.wrong || data.cycle !== null ? round : Math.min(0, steps.length - 1);
  if (!follow()) select(opening, { quiet: true });
  const firstDraw = performance.now() - begun;

  // With #selftest the page uses itself and leaves what it saw on its root element.
  if (location.hash.includes('selftest')) {
    const report = document.documentElement.dataset, wrong = [];
    const check = (what, truth) => { if (!truth) wrong.push(what); };
    const press = (key) => document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    const count = (what) => drawing.querySelectorAll(what).length;
    const end = steps.length - 1;
    try {
      report.steps = steps.length;
      report.columns = heads.querySelectorAll('span').length;
      report.firstDraw = Math.round(firstDraw);
      const current = () => [...el('text').querySelectorAll('[aria-current]')].map((line) => Number(line.dataset.line));
      const has = (at) => current().includes(steps[at].turn.lines[1] + 1);
      report.opened = selected + 1;
      report.line = current().join(' ');
      check('it opens at the error', selected === opening && count(`[data-step="${opening + 1}"]`) === 1);
      check('the source shows the line', has(opening));
      const shown = el('text').querySelector('[aria-current]').getBoundingClientRect(), pane = el('text').getBoundingClientRect();
      check('the line is in view', shown.top >= pane.top - 1 && shown.bottom <= pane.bottom + 1);
      check('the verdict is not cut off', el('verdict').scrollWidth <= el('verdict').clientWidth + 1);
      check('no part of the header is cut off', document.querySelector('header').scrollWidth <= innerWidth);
      if (opening === end) {
        const banner = el('banner').getBoundingClientRect(), view = scroller.getBoundingClientRect();
        check('the banner is in view', banner.left >= view.left && banner.right <= view.right && banner.bottom <= view.bottom + 1);
        check('the banner has the whole text', [...el('banner').querySelectorAll('text')].map((line) => line.textContent).join(' ').endsWith(data.end));
      }
      select(0);
      check('the first rows are drawn', count('[data-step="1"]') === 1);
      check('the source follows', has(0));
      select(end);
      check('the last row is drawn', count(`[data-step="${end + 1}"]`) === 1);
      check('the panel shows the step', el('step').textContent.includes(`Step ${end + 1} of`));
      check('only some rows are drawn', count('[data-step]') <= 400);
      report.final = JSON.stringify([...stateAfter(end).values]);
      press('ArrowUp');
      check('the keyboard moves', selected === end - 1);
      check('the source follows the keyboard', has(end - 1));
      press('Home');
      check('there is an initial state', selected === -1 && el('step').textContent.includes('Initial'));
      press('ArrowDown');
      check('the keyboard begins', selected === 0 && scroller.getAttribute('aria-activedescendant') === 'step-1');
      const target = drawing.querySelector('[data-step="2"] text').getBoundingClientRect();
      const at = { bubbles: true, clientX: target.x + 2, clientY: target.y + 4 };
      sheet.dispatchEvent(new PointerEvent('pointermove', at));
      check('hovering shows a state', el('step').textContent.includes('Step 2 of') && selected === 0);
      sheet.dispatchEvent(new MouseEvent('click', at));
      check('a click chooses', selected === 1);
      sheet.dispatchEvent(new PointerEvent('pointerleave', at));
      const box = el('processes').querySelector('input');
      const all = rows.length;
      box.click();
      report.withoutFirst = rows.length;
      check('a process can be hidden', heads.querySelectorAll('span').length === columns.length - 1 && rows.length < all);
      box.click();
      check('and shown again', heads.querySelectorAll('span').length === columns.length && rows.length === all);
      report.arrows = count('[data-arrow="message"], [data-arrow="rendezvous"], [data-arrow="unreceived"], [data-arrow="lost"]');
      if (channels.length) {
        el('channels').querySelectorAll('button')[1].click();
        check('channels can be hidden', count('[data-arrow]:not([data-arrow="start"])') === 0);
        el('channels').querySelectorAll('button')[0].click();
      }
      const whole = el('state').querySelectorAll('tr').length;
      el('sparse').click();
      check('zeros can be hidden', el('state').querySelectorAll('tr').length <= whole);
      el('sparse').click();
      el('query').value = strings[steps[end].text];
      search();
      match(1);
      check('a search finds', found.includes(end) && found.includes(selected));
      el('query').value = '';
      search();
      location.hash = '#step=1';
      follow();
      check('a link leads to a step', selected === 0);
      const begin = performance.now();
      for (let i = 0; i < 20; i++) { scroller.scrollTop = (i * scroller.scrollHeight) / 20; drawnFrom = -1; draw(); }
      report.draw = Math.round((performance.now() - begin) / 20);
      report.resources = performance.getEntriesByType('resource').length;
    } catch (error) {
      wrong.push(String(error));
    }
    report.selftest = wrong.length ? 'failed: ' + wrong.join('; ') : 'ok';
  }
})();
