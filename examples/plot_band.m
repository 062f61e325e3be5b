function plot_band(setup, coordinate, folder, options)
% Run inverse dynamics with inertial muscles; plot a coordinate's moments, and their difference with its 95 % band.
%
% For Matlab and Octave. Arguments: a setup of OpenSim's Inverse Dynamics Tool, a coordinate, a folder for results, and
% other options of the command, such as '--masses masses.csv'.
  if nargin < 4
    options = '';
  end
  status = system(sprintf('opensim-inertia id "%s" --out "%s" %s', setup, folder, options));
  assert(status == 0, 'the messages above say what is wrong')
  [data, labels] = read_sto(fullfile(folder, 'inverse_dynamics_curves.sto'));
  data = data(~any(isnan(data), 2), :);  % without time steps that have no answer
  curve = @(name) data(:, strcmp(labels, [coordinate, '_', name]));
  time = data(:, 1);
  change = curve('difference');
  lower = curve('difference_lower');
  upper = curve('difference_upper');
  [~, row] = max(abs(change));
  fprintf('largest change: %.3f (%.3f to %.3f) at %.3f s\n', change(row), lower(row), upper(row), time(row))
  run = jsondecode(fileread(fullfile(folder, 'inverse_dynamics_run.json')));
  fprintf('strain model: %s\n', run.options.strain)

  figure
  subplot(2, 1, 1)
  plot(time, curve('lumped'), 'k--', time, curve('inertial'), 'b')
  legend('mass fixed to bones', 'mass along muscles', 'Location', 'southwest')
  xlim(time([1, end]))
  ylabel([coordinate, ' [N m or N]'], 'Interpreter', 'none')
  subplot(2, 1, 2)
  fill([time; flipud(time)], [lower; flipud(upper)], [0.8, 0.85, 1], 'EdgeColor', 'none')
  hold on
  plot(time, change, 'b')
  xlim(time([1, end]))
  xlabel('time [s]')
  ylabel('difference [N m or N]')
  print(fullfile(folder, [coordinate, '.png']), '-dpng')
end

function [data, labels] = read_sto(file)
% Return the numbers of an .sto or .mot file, one row for each time, and the names of its columns.
  parts = regexp(fileread(file), 'endheader\s*', 'split', 'once');
  [labels, numbers] = strtok(parts{2}, sprintf('\n'));
  labels = strsplit(strtrim(labels), sprintf('\t'));
  data = sscanf(numbers, '%f', [numel(labels), Inf])';
end
