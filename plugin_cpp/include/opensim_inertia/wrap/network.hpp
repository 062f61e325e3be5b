// Small tanh networks, evaluated at many points at once.
#pragma once

#include <algorithm>
#include <vector>

#include "opensim_inertia/scalar/gradient.hpp"
#include "opensim_inertia/scalar/numbers.hpp"
#include "opensim_inertia/wrap/network_loops.hpp"

namespace opensim_inertia {

// An affine map after another, tanh between them.
//
// Neurons are rows. A scalar is several doubles, on which weights act alike: a row holds the values at all points, then
// their first rates, and so on, each `stride` apart.
class Network {
  public:
    struct Layer {
        Matrix weight;
        Vector bias;
        std::size_t inputs() const { return static_cast<std::size_t>(weight.cols()); }
        std::size_t outputs() const { return static_cast<std::size_t>(weight.rows()); }
    };
    std::vector<Layer> layers;

    // in (inputs, n), out (outputs, n)
    template <class T>
    void operator()(std::size_t n, const T* in, T* out) const {
        thread_local std::vector<double> storage;
        const Forward<T> run(*this, n, in, storage);
        for (std::size_t i = 0; i < layers.back().outputs() * n; ++i) out[i] = run.output(i / n, i % n);
    }

    // Gradients: those with respect to the network's inputs, found backwards, carried on to what these depend on.
    template <int N, class Real>
    void operator()(std::size_t n, const Gradient<N, Real>* in, Gradient<N, Real>* out) const {
        thread_local std::vector<double> storage, backward;
        thread_local std::vector<Real> values;
        const std::size_t inputs = layers.front().inputs(), outputs = layers.back().outputs();
        values.resize(inputs * n);
        for (std::size_t i = 0; i < inputs * n; ++i) values[i] = in[i].v;
        const Forward<Real> run(*this, n, values.data(), storage);
        const Backward<Real> slopes(*this, run, backward);
        for (std::size_t o = 0; o < outputs; ++o)
            for (std::size_t i = 0; i < n; ++i) {
                Gradient<N, Real>& to = out[o * n + i];
                to = run.output(o, i);
                for (std::size_t k = 0; k < inputs; ++k) {
                    const Real slope = slopes.at(k, o, i);
                    for (int j = 0; j < N; ++j) to.g[j] += slope * in[k * n + i].g[j];
                }
            }
    }

  private:
    static std::size_t rounded(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

    // All neurons at all points.
    template <class T>
    struct Forward {
        std::size_t n, stride, columns;
        std::vector<double*> rows;    // of the inputs, then of each layer

        Forward(const Network& network, std::size_t n_, const T* in, std::vector<double>& storage)
            : n(n_), stride(rounded(n, 4)), columns(rounded(Numbers<T>::count * stride, 8)) {
            std::size_t all = network.layers.front().inputs(), widest = 0;
            for (const Layer& layer : network.layers) {
                all += layer.outputs();
                widest = std::max(widest, layer.outputs());
            }
            storage.resize(all * columns + widest * stride);
            double *x = storage.data(), *t = x + all * columns;    // t: tanh of one layer's values
            rows.push_back(x);
            const std::size_t inputs = network.layers.front().inputs();
            std::fill(x, x + inputs * columns, 0.0);
            for (std::size_t k = 0; k < inputs; ++k)
                for (std::size_t i = 0; i < n; ++i) Numbers<T>::write(in[k * n + i], x + k * columns + i, stride);
            for (const Layer& layer : network.layers) {
                double* y = x + layer.inputs() * columns;
                loops::multiply(layer.outputs(), columns, layer.inputs(), layer.weight.data(), layer.inputs(), 1, x, y);
                for (std::size_t r = 0; r < layer.outputs(); ++r) {
                    double* row = y + r * columns;
                    for (std::size_t i = 0; i < stride; ++i)
                        t[r * stride + i] = row[i] += layer.bias[static_cast<Eigen::Index>(r)];
                }
                if (&layer != &network.layers.back()) {
                    loops::tanh_each(layer.outputs() * stride, t, t);
                    for (std::size_t r = 0; r < layer.outputs(); ++r)
                        for (std::size_t i = 0; i < stride; ++i) {
                            double* to = y + r * columns + i;
                            Numbers<T>::write(with_tanh(Numbers<T>::read(to, stride), t[r * stride + i]), to, stride);
                        }
                }
                rows.push_back(x = y);
            }
        }

        T output(std::size_t o, std::size_t i) const { return Numbers<T>::read(rows.back() + o * columns + i, stride); }
    };

    // Slopes of all outputs: columns for the first output, for the second, ...
    template <class Real>
    struct Backward {
        static constexpr std::size_t kCount = Numbers<Real>::count;
        std::size_t stride, columns;
        const double* found;

        Backward(const Network& network, const Forward<Real>& run, std::vector<double>& storage) : stride(run.stride) {
            const std::size_t outputs = network.layers.back().outputs();
            columns = rounded(outputs * kCount * stride, 8);
            std::size_t widest = outputs;
            for (const Layer& layer : network.layers) widest = std::max(widest, layer.inputs());
            storage.resize(2 * widest * columns);
            double *y = storage.data(), *x = y + widest * columns;
            std::fill(y, y + outputs * columns, 0.0);
            for (std::size_t o = 0; o < outputs; ++o) {
                double* one = y + o * columns + o * kCount * stride;
                std::fill(one, one + stride, 1.0);
            }
            for (std::size_t l = network.layers.size(); l-- > 0;) {
                const Layer& layer = network.layers[l];
                loops::multiply(layer.inputs(), columns, layer.outputs(), layer.weight.data(), 1, layer.inputs(), y, x);
                for (std::size_t r = 0; l > 0 && r < layer.inputs(); ++r)
                    for (std::size_t o = 0; o < outputs; ++o)
                        damp(run.rows[l] + r * run.columns, x + r * columns + o * kCount * stride);
                std::swap(x, y);
            }
            found = y;
        }

        Real at(std::size_t input, std::size_t output, std::size_t i) const {
            return Numbers<Real>::read(found + input * columns + output * kCount * stride + i, stride);
        }

        // Through tanh, which is t.
        void damp(const double* t, double* x) const {
            for (std::size_t i = 0; i < stride; ++i) {
                const Real f = Numbers<Real>::read(t + i, stride), slope = Numbers<Real>::read(x + i, stride);
                Numbers<Real>::write(slope * (1 - f * f), x + i, stride);
            }
        }
    };
};

}    // namespace opensim_inertia
